import Broker
import Geodesy
import Positioning

/// What the detector of visits remembers, in a body.
struct VisitMemoryForm: Codable {
  private struct Place: Codable {
    var latitude: Double
    var longitude: Double
    var weight: Double
    var count: Int

    init(_ place: MeanPlace) {
      self.latitude = place.coordinate.latitude
      self.longitude = place.coordinate.longitude
      self.weight = place.weight
      self.count = place.count
    }

    var value: MeanPlace {
      MeanPlace(
        Coordinate(latitude: self.latitude, longitude: self.longitude), weight: self.weight, count: self.count)
    }
  }

  private struct StayForm: Codable {
    var anchor: Place
    var centre: Place
    var start: MomentForm
    var newest: MomentForm
    var isArrivalKnown: Bool
    var visit: Int?

    init(_ stay: Stay) {
      self.anchor = Place(stay.anchor)
      self.centre = Place(stay.centre)
      self.start = MomentForm(stay.start)
      self.newest = MomentForm(stay.newest)
      self.isArrivalKnown = stay.isArrivalKnown
      self.visit = stay.visit
    }

    func value(_ placement: Placement) -> Stay {
      Stay(
        anchor: self.anchor.value, centre: self.centre.value, start: placement.past(self.start),
        newest: placement.past(self.newest), isArrivalKnown: self.isArrivalKnown, visit: self.visit)
    }
  }

  private var lastVisit: Int
  private var hasMoved: Bool
  private var stay: StayForm?

  init(_ snapshot: VisitDetector.Snapshot) {
    self.lastVisit = snapshot.lastVisit
    self.hasMoved = snapshot.hasMoved
    self.stay = snapshot.stay.map { StayForm($0) }
  }

  func value(_ placement: Placement) -> VisitDetector.Snapshot {
    VisitDetector.Snapshot(
      lastVisit: self.lastVisit, hasMoved: self.hasMoved, stay: self.stay?.value(placement))
  }
}
