import Positioning

/// A visit, in a body.
struct VisitForm: Codable {
  private var id: Int
  private var latitude: Double
  private var longitude: Double
  private var horizontalAccuracy: Double
  private var arrival: MomentForm?
  private var departure: MomentForm?
  // Absent in what earlier versions kept.
  private var arrivalUncertainty: DurationForm?
  private var departureUncertainty: DurationForm?

  init(_ visit: Visit) {
    self.id = visit.id
    self.latitude = visit.latitude
    self.longitude = visit.longitude
    self.horizontalAccuracy = visit.horizontalAccuracy
    self.arrival = visit.arrival.map { MomentForm($0) }
    self.departure = visit.departure.map { MomentForm($0) }
    self.arrivalUncertainty = visit.arrivalUncertainty.map { DurationForm($0) }
    self.departureUncertainty = visit.departureUncertainty.map { DurationForm($0) }
  }

  func value(_ placement: Placement) throws(UnreadableForm) -> Visit {
    let place = try Coordinate(kept: self.latitude, self.longitude)
    return Visit(
      id: self.id, latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: self.horizontalAccuracy,
      arrival: self.arrival.map { placement.past($0) }, arrivalUncertainty: self.arrivalUncertainty?.value,
      departure: self.departure.map { placement.past($0) }, departureUncertainty: self.departureUncertainty?.value)
  }
}
