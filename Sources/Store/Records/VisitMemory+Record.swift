import Broker
import Geodesy
import JSONRPC
import Positioning

extension VisitDetector.Snapshot: Record {
  static let record = ObjectCodec<VisitDetector.Snapshot>(blank: VisitDetector.Snapshot()) {
    Field.required("hasMoved", \.hasMoved, .boolean)
    Field.required("lastVisit", \.lastVisit, .integer)
    Field.optional("stay", \.stay, StayRecord.record.codec.map(to: { $0.stay }, from: { StayRecord($0) }))
  } check: { (snapshot: inout VisitDetector.Snapshot, _: JSONView) throws(CodingFailure) in
    try checkCounter(snapshot.lastVisit)
  }

  mutating func map(by clock: ClockMapping) {
    self.stay = self.stay.map { stay in
      Stay(
        anchor: stay.anchor, centre: stay.centre, start: clock.past(stay.start), newest: clock.past(stay.newest),
        isArrivalKnown: stay.isArrivalKnown,
        arrival: stay.arrival.map { MomentEstimate(best: clock.past($0.best), uncertainty: $0.uncertainty) },
        visit: stay.visit)
    }
  }
}

/// A stay's members, one by one, as a body is read and written. A `Stay` belongs to its machine: nobody sets its members, and
/// it is made at once from all of them.
private struct StayRecord: Record {
  var anchor = PlaceRecord()
  /// Absent if only the start of the daemon is known.
  var arrival: Instant?
  var arrivalUncertainty: Duration?
  var centre = PlaceRecord()
  var isArrivalKnown = false
  var newest = Instant.blank
  var start = Instant.blank
  var visit: Int?

  static let record = ObjectCodec<StayRecord>(blank: StayRecord()) {
    Field.required("anchor", \.anchor, PlaceRecord.record.codec)
    // Earlier versions stored neither the arrival nor its uncertainty.
    Field.optional("arrival", \.arrival, .moment)
    Field.optional("arrivalUncertainty", \.arrivalUncertainty, .duration)
    Field.required("centre", \.centre, PlaceRecord.record.codec)
    Field.required("isArrivalKnown", \.isArrivalKnown, .boolean)
    Field.required("newest", \.newest, .moment)
    Field.required("start", \.start, .moment)
    Field.optional("visit", \.visit, .integer)
  }
}

extension StayRecord {
  init(_ stay: Stay) {
    self.anchor = PlaceRecord(stay.anchor)
    self.centre = PlaceRecord(stay.centre)
    self.start = stay.start
    self.newest = stay.newest
    self.isArrivalKnown = stay.isArrivalKnown
    self.visit = stay.visit
    self.arrival = stay.arrival.flatMap { arrival in
      arrival.best == stay.start && arrival.uncertainty == nil ? nil : arrival.best
    }
    self.arrivalUncertainty = stay.arrival?.uncertainty
  }

  var stay: Stay {
    Stay(
      anchor: self.anchor.place, centre: self.centre.place, start: self.start, newest: self.newest,
      isArrivalKnown: self.isArrivalKnown,
      arrival: self.arrival.map { MomentEstimate(best: $0, uncertainty: self.arrivalUncertainty) }, visit: self.visit)
  }
}

/// A mean place's members. A `MeanPlace` has sums that it alone changes.
private struct PlaceRecord: Record {
  var count = 1
  var latitude = 0.0
  var longitude = 0.0
  var weight = 1.0

  static let record = ObjectCodec<PlaceRecord>(blank: PlaceRecord()) {
    Field.required("count", \.count, .integer)
    Field.required("latitude", \.latitude, .number)
    Field.required("longitude", \.longitude, .number)
    Field.required("weight", \.weight, .number)
  } check: { (place: inout PlaceRecord, _: JSONView) throws(CodingFailure) in
    try checkPlace(place.latitude, place.longitude)
    try checkPositive(place.weight)
    try checkCounter(place.count)
  }
}

extension PlaceRecord {
  init(_ place: MeanPlace) {
    self.count = place.count
    self.latitude = place.coordinate.latitude
    self.longitude = place.coordinate.longitude
    self.weight = place.weight
  }

  var place: MeanPlace {
    MeanPlace(
      Coordinate(latitude: self.latitude, longitude: self.longitude), weight: self.weight, count: max(self.count, 1))
  }
}
