import Positioning

/// A visit, in a body.
struct VisitForm: Codable {
  private var id: Int
  private var latitude: Double
  private var longitude: Double
  private var horizontalAccuracy: Double
  private var arrival: MomentForm?
  private var departure: MomentForm?

  init(_ visit: Visit) {
    self.id = visit.id
    self.latitude = visit.latitude
    self.longitude = visit.longitude
    self.horizontalAccuracy = visit.horizontalAccuracy
    self.arrival = visit.arrival.map { MomentForm($0) }
    self.departure = visit.departure.map { MomentForm($0) }
  }

  func value(_ placement: Placement) -> Visit {
    Visit(
      id: self.id, latitude: self.latitude, longitude: self.longitude, horizontalAccuracy: self.horizontalAccuracy,
      arrival: self.arrival.map { placement.past($0) }, departure: self.departure.map { placement.past($0) })
  }
}
