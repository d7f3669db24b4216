import Broker
import EventLoop
import Positioning

/// Reads the stored state, and collects unreadable rows.
struct StateReader {
  /// A row whose body this version cannot read.
  struct Unreadable {
    enum Row {
      case region(key: Int64)
      case position(name: Int64)
      case event(name: Int64, number: Int64)
      /// The text of the feed, in the name's own row.
      case feed(name: Int64)
      case visitMemory
      case decision(uid: Int64)
      case fuzzer
      case receiver
    }

    let row: Row
    let body: String
    let reason: String
  }

  private let tables: StoreTables
  private let now: Instant
  private var clocks: [Int64: ClockMapping] = [:]
  private var names: [Int64: StoredName] = [:]
  /// What was read, but for the names, whose keys are needed too.
  private(set) var state = StoredState()
  private(set) var unreadable: [Unreadable] = []

  init(_ tables: StoreTables, now: Instant) throws(StoreError) {
    self.tables = tables
    self.now = now
    try self.readClocks()
    try self.readNames()
    try self.readRegions()
    try self.readPositions()
    try self.readEvents()
    try self.readVisitMemory()
    try self.readDecisions()
    try self.readFuzzer()
    try self.readWakeStarts()
    try self.readStoppedReceiver()
    try self.readReceiver()
  }

  /// The readable names, in their order.
  var sortedNames: [StoredName] { self.names.values.sorted { $0.id < $1.id } }

  var clockCount: Int { self.clocks.count }

  private mutating func readClocks() throws(StoreError) {
    try self.tables.database.rows("SELECT key, boot, epoch FROM clocks") { row in
      guard let key = row.integer(0), let boot = row.text(1), let epoch = row.integer(2) else { return }
      let clock = StoredClock(boot: boot, epoch: .nanoseconds(epoch))
      self.clocks[key] = ClockMapping(of: clock, on: self.tables.clock, now: self.now)
    }
  }

  private mutating func readNames() throws(StoreError) {
    let columns = "key, uid, name, user, wake, has_visits, last_event, dropped, view"
    try self.tables.database.rows("SELECT \(columns) FROM names") { row in
      guard let key = row.integer(0), let uid = row.integer(1), let text = row.text(2) else { return }
      var name = StoredName(
        id: DurableID(uid: UInt32(clamping: uid), name: text), user: row.text(3), wake: row.text(4))
      name.hasVisits = row.integer(5) == 1
      name.lastEvent = UInt64(clamping: row.integer(6) ?? 0)
      name.dropped = Int(min(max(row.integer(7) ?? 0, 0), Int64(Int32.max)))
      if let words = row.text(8) {
        name.feed = FixFeedKey(words: words)
        // The precision of its events is unknown, so no client may have them.
        if name.feed == nil {
          self.unreadable.append(Unreadable(row: .feed(name: key), body: words, reason: "words of no feed"))
        }
      }
      self.names[key] = name
    }
    try self.tables.database.rows("SELECT uid, last_event FROM retired") { row in
      guard let uid = row.integer(0), let number = row.integer(1) else { return }
      self.state.retired[UInt32(clamping: uid)] = UInt64(clamping: number)
    }
  }

  private mutating func readRegions() throws(StoreError) {
    try self.tables.database.rows("SELECT name, key, body, standing, clock FROM regions ORDER BY key") { row in
      guard let name = row.integer(0), let key = row.integer(1) else { return }
      self.read(.region(key: key), row, body: 2, clock: 4) { reader, text, mapping throws(UnreadableRecord) in
        let region = try RegionRecord(body: text)
        var snapshot = try RegionSnapshot(body: row.text(3) ?? "")
        snapshot.map(by: mapping, expiresIn: region.expiresIn)
        reader.names[name]?.regions.append(try region.region(snapshot))
      }
    }
  }

  private mutating func readPositions() throws(StoreError) {
    try self.tables.database.rows("SELECT name, body, clock FROM positions") { row in
      guard let name = row.integer(0) else { return }
      self.read(.position(name: name), row, body: 1, clock: 2) { reader, text, mapping throws(UnreadableRecord) in
        reader.names[name]?.position = try StoredPosition(body: text, clock: mapping)
      }
    }
  }

  private mutating func readEvents() throws(StoreError) {
    try self.tables.database.rows("SELECT name, id, body, clock FROM events ORDER BY name, id") { row in
      guard let name = row.integer(0), let number = row.integer(1) else { return }
      self.read(.event(name: name, number: number), row, body: 2, clock: 3) {
        reader, text, mapping throws(UnreadableRecord) in
        let record = try EventRecord(body: text, clock: mapping)
        reader.names[name]?.events.append(try record.event(id: UInt64(clamping: number)))
      } failed: { reader in
        // Its client is notified of the loss, as of a dropped event.
        reader.names[name]?.dropped += 1
      }
    }
  }

  /// The table has a row for each feed. Visits are only for clients that may know everything.
  private mutating func readVisitMemory() throws(StoreError) {
    let feed = SQLValue.text(FixFeedKey.everything.words)
    try self.tables.database.rows("SELECT body, clock FROM visit_memories WHERE view = ?", feed) { row in
      self.read(.visitMemory, row, body: 0, clock: 1) { reader, text, mapping throws(UnreadableRecord) in
        reader.state.visitMemory = try VisitDetector.Snapshot(body: text, clock: mapping)
      }
    }
  }

  private mutating func readDecisions() throws(StoreError) {
    try self.tables.database.rows("SELECT uid, user, body, clock FROM decisions") { row in
      guard let number = row.integer(0), let user = row.text(1) else { return }
      self.read(.decision(uid: number), row, body: 2, clock: 3) { reader, text, mapping throws(UnreadableRecord) in
        guard let uid = UInt32(exactly: number) else { throw UnreadableRecord("a number that no user has") }
        reader.state.decisions[uid] = try Decision(body: text, user: user, clock: mapping)
      } failed: { reader in
        // The unreadable decision may have been a denial.
        if let uid = UInt32(exactly: number) {
          reader.state.decisions[uid] = Decision(user: user, level: nil, at: reader.now)
        }
      }
    }
    try self.tables.database.rows("SELECT is_on, unread FROM master_switch") { row in
      (self.state.isEnabled, self.state.unread) = (row.integer(0) == 1, row.text(1))
    }
  }

  private mutating func readFuzzer() throws(StoreError) {
    try self.tables.database.rows("SELECT body, clock FROM disguise") { row in
      self.read(.fuzzer, row, body: 0, clock: 1) { reader, text, mapping throws(UnreadableRecord) in
        reader.state.fuzzer = try LocationFuzzer.Snapshot(body: text, clock: mapping)
      }
    }
  }

  private mutating func readWakeStarts() throws(StoreError) {
    try self.tables.database.rows("SELECT uid, unit, at, clock FROM wake_starts") { row in
      guard let number = row.integer(0), let uid = UInt32(exactly: number), let unit = row.text(1),
        let at = row.integer(2), let mapping = row.integer(3).flatMap({ self.clocks[$0] })
      else { return }
      self.state.wakeStarts[WakeTarget(uid: uid, unit: unit)] = mapping.past(Instant(nanoseconds: at))
    }
  }

  /// A rung that this version does not know was that of a later one: its start is not known either.
  private mutating func readStoppedReceiver() throws(StoreError) {
    try self.tables.database.rows("SELECT rung, device, unit, off_unit FROM stopped_receiver") { row in
      guard let rung = row.text(0).flatMap({ PowerRung(rawValue: $0) }) else { return }
      self.state.stoppedReceiver = StoppedReceiver(
        rung: rung, device: row.text(1), unit: row.text(2), offUnit: row.text(3))
    }
  }

  private mutating func readReceiver() throws(StoreError) {
    try self.tables.database.rows("SELECT body, clock FROM receiver_memory") { row in
      self.read(.receiver, row, body: 0, clock: 1) { reader, text, mapping throws(UnreadableRecord) in
        reader.state.receiver = try ReceiverMemory(body: text, clock: mapping)
      }
    }
  }

  /// Reads the body of a row, or records why it cannot be read.
  private mutating func read(
    _ what: Unreadable.Row, _ row: SQLRow, body: Int32, clock: Int32,
    _ take: (inout StateReader, String, ClockMapping) throws(UnreadableRecord) -> Void,
    failed: (inout StateReader) -> Void = { _ in }
  ) {
    let text = row.text(body) ?? ""
    do throws(UnreadableRecord) {
      let mapping = try self.mapping(row.integer(clock))
      try take(&self, text, mapping)
    } catch {
      self.unreadable.append(Unreadable(row: what, body: text, reason: error.description))
      failed(&self)
    }
  }

  private func mapping(_ clock: Int64?) throws(UnreadableRecord) -> ClockMapping {
    guard let mapping = clock.flatMap({ self.clocks[$0] }) else { throw UnreadableRecord("moments of no known boot") }
    return mapping
  }
}
