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

    func value() throws(UnreadableForm) -> MeanPlace {
      MeanPlace(
        try Coordinate(kept: self.latitude, self.longitude), weight: try positive(self.weight),
        count: max(try counter(self.count), 1))
    }
  }

  private struct StayForm: Codable {
    var anchor: Place
    var centre: Place
    var start: MomentForm
    var newest: MomentForm
    var isArrivalKnown: Bool
    var visit: Int?
    // Absent in what earlier versions kept.
    var arrival: MomentForm?
    var arrivalUncertainty: DurationForm?

    init(_ stay: Stay) {
      self.anchor = Place(stay.anchor)
      self.centre = Place(stay.centre)
      self.start = MomentForm(stay.start)
      self.newest = MomentForm(stay.newest)
      self.isArrivalKnown = stay.isArrivalKnown
      self.visit = stay.visit
      // Where no more is known than that it was the start, that is not said twice.
      self.arrival = stay.arrival.flatMap { arrival in
        arrival.best == stay.start && arrival.uncertainty == nil ? nil : MomentForm(arrival.best)
      }
      self.arrivalUncertainty = stay.arrival?.uncertainty.map { DurationForm($0) }
    }

    func value(_ placement: Placement) throws(UnreadableForm) -> Stay {
      Stay(
        anchor: try self.anchor.value(), centre: try self.centre.value(), start: placement.past(self.start),
        newest: placement.past(self.newest), isArrivalKnown: self.isArrivalKnown,
        arrival: self.arrival.map {
          MomentEstimate(best: placement.past($0), uncertainty: self.arrivalUncertainty?.value)
        }, visit: self.visit)
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

  func value(_ placement: Placement) throws(UnreadableForm) -> VisitDetector.Snapshot {
    VisitDetector.Snapshot(
      lastVisit: try counter(self.lastVisit), hasMoved: self.hasMoved, stay: try self.stay?.value(placement))
  }
}
