import Broker
import Positioning

/// A value that is stored: one table of the database, and all that is done with it, in one file of `Values`. `Registry`
/// lists them.
///
/// Where a row has moments, its column `clock` has the key of the boot that they count from. Where it belongs to a durable
/// name, its column `name` has the key of that. SQLite knows which tables do: `Database.tables(referringTo:)`.
///
/// Released words stay in the database when the source says something else now:
///
/// | in the database | in the source |
/// |---|---|
/// | table `disguise`, and a member of the permission file | the snapshot of the fuzzer |
/// | its member `told` | the fuzzed location that was shown last |
/// | column `view` | feed |
/// | column `standing` of a region | snapshot |
protocol StoredValue: Sendable {
  static var table: String { get }
  /// The statements that make the table, and change it later, by the version of the schema that they lead to. A released
  /// one is never changed.
  static var steps: [Int: String] { get }
  /// What people call a row that cannot be read.
  static var kind: String { get }

  /// Reads the rows at the start.
  static func read(_ reader: inout StateReader) throws(StoreError)
  /// Removes what could not be read from the table; a copy was set aside.
  static func discard(row: Int64, from tables: StoreTables, now: Instant) throws(StoreError)
}

extension StoredValue {
  static var kind: String { Self.table }

  static func discard(row: Int64, from tables: StoreTables, now: Instant) throws(StoreError) {
    try tables.database.run("DELETE FROM \(Self.table) WHERE rowid = ?", row)
  }
}

/// The list of what is stored.
enum Registry {
  /// In the order in which they are made and read: names before what belongs to them.
  static let all: [any StoredValue.Type] = [
    StoredClock.self, StoredName.self, RetiredNumbers.self, StoredRegion.self, StoredPosition.self, DurableEvent.self,
    VisitDetector.Snapshot.self, Decision.self, MasterSwitch.self, LocationFuzzer.Snapshot.self, WakeStarts.self,
    StoppedReceiver.self, ReceiverMemory.self, UnreadableRow.self,
  ]
}

extension StoreWriter {
  /// - Throws: Also if the name or the region does not exist. Memory and disk differ then, and ignoring the change
  ///   would break a promise.
  mutating func make(_ change: StoreChange) throws(StoreError) {
    switch change {
    case .putName(let id, let user, let wake): try self.putName(id, user: user, wake: wake)
    case .removeName(let id): try self.removeName(id)
    case .replaceName(let name): try self.replaceName(name)
    case .setFeed(let id, let feed): try self.setFeed(feed, of: id)
    case .putVisits(let id): try self.putVisits(of: id)
    case .putRegion(let id, let region): try self.putRegion(region, of: id)
    case .removeRegion(let id, let region): try self.removeRegion(region, of: id)
    case .setRegionSnapshot(let id, let region, let snapshot): try self.setSnapshot(snapshot, ofRegion: region, of: id)
    case .resetRegions(let id): try self.resetRegions(of: id)
    case .putPosition(let id, let position): try self.putPosition(position, of: id)
    case .removePosition(let id): try self.removePosition(of: id)
    case .putEvent(let id, let event): try self.putEvent(event, of: id)
    case .acknowledge(let id, let through): try self.removeEvents(of: id, through: through)
    case .overflow(let id, let through, let dropped): try self.dropEvents(of: id, through: through, dropped: dropped)
    case .putVisitMemory(let memory): try self.put(memory)
    case .putDecision(let uid, let decision): try self.putDecision(decision, about: uid)
    case .removeDecision(let uid): try self.removeDecision(about: uid)
    case .putEnabled(let isOn, let unread): try self.putSwitch(isOn: isOn, unread: unread)
    case .putFuzzer(let snapshot): try self.put(snapshot)
    case .putWakeStart(let target, let start): try self.putStart(start, of: target)
    case .removeWakeStart(let target): try self.removeStart(of: target)
    case .putStoppedReceiver(let stopped): try self.putStoppedReceiver(stopped)
    case .putReceiver(let memory): try self.put(memory)
    }
  }
}

/// A snapshot of a machine of which there is one: a row with a body and a clock.
protocol StoredSnapshot: StoredValue, Record {
  /// The version of the schema that made its table.
  static var since: Int { get }
  /// The column that is the key, and the key's value, in SQL.
  static var key: (column: String, value: String) { get }
  /// Takes it into the state.
  static func take(_ snapshot: Self, into state: inout StoredState)
}

extension StoredSnapshot {
  static var key: (column: String, value: String) { ("key", "0") }

  static var steps: [Int: String] { [Self.since: Self.creation(of: Self.table)] }

  static func creation(of table: String) -> String {
    """
    CREATE TABLE \(table) (
      key INTEGER PRIMARY KEY CHECK (key = 0),
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;
    """
  }

  static func read(_ reader: inout StateReader) throws(StoreError) {
    let condition = "\(Self.key.column) = \(Self.key.value)"
    try reader.database.rows("SELECT rowid, body, clock FROM \(Self.table) WHERE \(condition)") { row in
      if let snapshot: Self = reader.value(row) { Self.take(snapshot, into: &reader.state) }
    }
  }

  static func discard(row: Int64, from tables: StoreTables, now: Instant) throws(StoreError) {
    try tables.database.run("DELETE FROM \(Self.table)")
  }
}

extension StoreWriter {
  fileprivate func put<Snapshot: StoredSnapshot>(_ snapshot: Snapshot) throws(StoreError) {
    let (column, value) = Snapshot.key
    try self.database.run(
      "INSERT OR REPLACE INTO \(Snapshot.table) (\(column), body, clock) VALUES (\(value), ?, ?)", snapshot.body,
      self.clock)
  }
}
