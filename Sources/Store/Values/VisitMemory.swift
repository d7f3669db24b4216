import Broker
import Geodesy
import JSONRPC
import Positioning

extension VisitDetector.Snapshot: StoredSnapshot {
  static let table = "visit_memories"
  static let kind = "memory of visits"
  /// The table has a row for each feed. Visits are only for clients that may know everything.
  static let key = (column: "view", value: "'\(FixFeedKey.everything.words)'")

  static let since = 1

  static let steps = [
    1: Self.creation(of: "visit_memory"),
    2: """
    CREATE TABLE visit_memories (
      view TEXT PRIMARY KEY,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;
    INSERT INTO visit_memories SELECT 'precise', body, clock FROM visit_memory;
    DROP TABLE visit_memory;
    """,
  ]

  static func take(_ snapshot: Self, into state: inout StoredState) { state.visitMemory = snapshot }

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
    // An arrival that is the start is not stored, since it follows.
    let isStart = stay.arrival == MomentEstimate(best: stay.start, uncertainty: nil)
    self.init(
      anchor: PlaceRecord(stay.anchor), arrival: isStart ? nil : stay.arrival?.best,
      arrivalUncertainty: stay.arrival?.uncertainty, centre: PlaceRecord(stay.centre),
      isArrivalKnown: stay.isArrivalKnown, newest: stay.newest, start: stay.start, visit: stay.visit)
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
  var coordinate = Coordinate(latitude: 0, longitude: 0)
  var weight = 1.0

  static let record = ObjectCodec<PlaceRecord>(blank: PlaceRecord()) {
    Field.required("count", \.count, .integer)
    Field.required("latitude", \.coordinate.latitude, .number)
    Field.required("longitude", \.coordinate.longitude, .number)
    Field.required("weight", \.weight, .number)
  } check: { (place: inout PlaceRecord, _: JSONView) throws(CodingFailure) in
    try checkPlace(place.coordinate.latitude, place.coordinate.longitude)
    try checkPositive(place.weight)
    try checkCounter(place.count)
  }
}

extension PlaceRecord {
  init(_ place: MeanPlace) {
    self.init(count: place.count, coordinate: place.coordinate, weight: place.weight)
  }

  var place: MeanPlace { MeanPlace(self.coordinate, weight: self.weight, count: max(self.count, 1)) }
}
