import Broker
import JSONRPC
import Positioning

extension DurableEvent: StoredValue {
  static let table = "events"
  static let kind = "event"

  static let steps = [
    1: """
    CREATE TABLE events (
      name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
      id INTEGER NOT NULL,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks,
      PRIMARY KEY (name, id)
    ) STRICT;
    """
  ]

  static func read(_ reader: inout StateReader) throws(StoreError) {
    try reader.database.rows("SELECT rowid, body, clock, name, id FROM events ORDER BY name, id") { row in
      guard let name = row.integer(3), let number = row.integer(4) else { return }
      let event: Self? = reader.value(row, of: reader.owner(name, id: "\(number)")) { event, _ in
        event.id = UInt64(clamping: number)
      }
      // The client is notified of the loss, as of a dropped event.
      if let event { reader.names[name]?.events.append(event) } else { reader.names[name]?.dropped += 1 }
    }
  }

  static func discard(row: Int64, from tables: StoreTables, now: Instant) throws(StoreError) {
    try tables.database.run(
      "UPDATE names SET dropped = dropped + 1 WHERE key = (SELECT name FROM events WHERE rowid = ?)", row)
    try tables.database.run("DELETE FROM events WHERE rowid = ?", row)
  }
}

extension StoreWriter {
  func putEvent(_ event: DurableEvent, of id: DurableID) throws(StoreError) {
    let (name, number) = (try self.index.key(id), event.id)
    try self.database.run(
      "INSERT OR REPLACE INTO events (name, id, body, clock) VALUES (?, ?, ?, ?)", name, number,
      event.body, self.clock)
    try self.database.run("UPDATE names SET last_event = max(last_event, ?) WHERE key = ?", number, name)
  }

  func removeEvents(of id: DurableID, through: UInt64) throws(StoreError) {
    try self.database.run("DELETE FROM events WHERE name = ? AND id <= ?", self.index.key(id), through)
  }

  /// - Parameter dropped: How many events the client was not notified of, in all.
  func dropEvents(of id: DurableID, through: UInt64, dropped: Int) throws(StoreError) {
    try self.removeEvents(of: id, through: through)
    try self.database.run(
      "UPDATE names SET dropped = ?, last_event = max(last_event, ?) WHERE key = ?", dropped, through,
      self.index.key(id))
  }
}

/// One of the three kinds, without its number, which is in a column.
extension DurableEvent: Record {
  static let record = ObjectCodec<DurableEvent>(
    blank: DurableEvent(id: 0, at: .blank, content: .visit(Visit.record.blank))
  ) {
    Field.required("at", \.at, .moment)
    Field.optional("position", \.position, PositionUpdate.record.codec)
    Field.optional("region", \.region, RegionEvent.record.codec)
    Field.optional("visit", \.visit, Visit.record.codec)
  } check: { (_: inout DurableEvent, view: JSONView) throws(CodingFailure) in
    guard ["position", "region", "visit"].contains(where: { view[$0]?.isNull == false }) else {
      throw CodingFailure(.described("an event of no kind that is known"))
    }
  }

  mutating func map(by clock: ClockMapping) {
    self.at = clock.past(self.at)
    self.position?.map(by: clock)
    self.region?.map(by: clock)
    self.visit?.map(by: clock)
  }

  private var position: PositionUpdate? {
    get { if case .position(let update) = self.content { update } else { nil } }
    set { if let newValue { self.content = .position(newValue) } }
  }

  private var region: RegionEvent? {
    get { if case .region(let event) = self.content { event } else { nil } }
    set { if let newValue { self.content = .region(newValue) } }
  }

  private var visit: Visit? {
    get { if case .visit(let visit) = self.content { visit } else { nil } }
    set { if let newValue { self.content = .visit(newValue) } }
  }
}

extension PositionUpdate: Record {
  static let record = ObjectCodec<PositionUpdate>(
    blank: PositionUpdate(availability: .available)
  ) {
    Field.optional("achievedAccuracy", \.achievedAccuracy, .word)
    Field.required("availability", \.availability, .word)
    Field.defaulted("dropped", \.dropped, .integer)
    Field.optional("fix", \.fix, Fix.record.codec)
    Field.optional("fixes", \.batch, .array(of: Fix.record.codec))
    Field.defaulted("isRepeat", \.isRepeat, .boolean)
    Field.defaulted("isReplay", \.isReplay, .boolean)
    Field.optional("reason", \.reason, .openWord { DeliveryReason(rawValue: $0) })
    Field.required("state", \.state, .word)
  }

  mutating func map(by clock: ClockMapping) {
    self.fix?.map(by: clock)
    for place in self.fixes.indices { self.fixes[place].map(by: clock) }
  }

  /// `nil` if it is no batch.
  fileprivate var batch: [Fix]? {
    get { self.fixes.isEmpty ? nil : self.fixes }
    set { self.fixes = newValue ?? [] }
  }
}

extension RegionEvent: Record {
  static let record = ObjectCodec<RegionEvent>(
    blank: RegionEvent(id: "", kind: .unknown, state: .unknown)
  ) {
    Field.optional("fix", \.fix, Fix.record.codec)
    Field.defaulted("isInferred", \.isInferred, .boolean)
    Field.flag("isInitial", \.isInitial)
    Field.flag("isReduced", \.isReduced)
    Field.required("kind", \.kind, .word)
    Field.optional("passage", \.passage, .span)
    Field.optional("probability", \.probability, .number)
    Field.required("region", \.id, .string)
    Field.required("state", \.state, .word)
  }

  mutating func map(by clock: ClockMapping) {
    self.fix?.map(by: clock)
    self.passage = self.passage.map { clock.past($0.lowerBound)...clock.past($0.upperBound) }
  }
}

extension Visit: Record {
  static let record = ObjectCodec<Visit>(blank: Visit(id: 0, latitude: 0, longitude: 0, horizontalAccuracy: 0)) {
    Field.optional("arrival", \.arrival, .moment)
    // Earlier versions stored no uncertainties.
    Field.optional("arrivalUncertainty", \.arrivalUncertainty, .duration)
    Field.optional("departure", \.departure, .moment)
    Field.optional("departureUncertainty", \.departureUncertainty, .duration)
    Field.required("horizontalAccuracy", \.horizontalAccuracy, .number)
    Field.required("id", \.id, .integer)
    Field.required("latitude", \.latitude, .number)
    Field.required("longitude", \.longitude, .number)
  } check: { (visit: inout Visit, _: JSONView) throws(CodingFailure) in
    try checkPlace(visit.latitude, visit.longitude)
  }

  mutating func map(by clock: ClockMapping) {
    self.arrival = self.arrival.map { clock.past($0) }
    self.departure = self.departure.map { clock.past($0) }
  }
}
