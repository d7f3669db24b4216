import Broker
import Positioning

extension StoredName: StoredValue {
  static let table = "names"
  static let kind = "feed of a durable name"

  static let steps = [
    1: """
    CREATE TABLE names (
      key INTEGER PRIMARY KEY,
      uid INTEGER NOT NULL,
      name TEXT NOT NULL,
      user TEXT,
      wake TEXT,
      has_visits INTEGER NOT NULL DEFAULT 0,
      last_event INTEGER NOT NULL DEFAULT 0,
      dropped INTEGER NOT NULL DEFAULT 0,
      UNIQUE (uid, name)
    ) STRICT;
    """,
    2: """
    -- By which fixes the name's states and events came about, in words; NULL: it may know none. Before there were
    -- permissions, they came from precise ones.
    ALTER TABLE names ADD COLUMN view TEXT;
    UPDATE names SET view = 'precise';
    """,
  ]

  static func read(_ reader: inout StateReader) throws(StoreError) {
    let columns = "key, uid, name, user, wake, has_visits, last_event, dropped, view"
    try reader.database.rows("SELECT \(columns) FROM names") { row in
      guard let key = row.integer(0), let uid = row.integer(1), let text = row.text(2) else { return }
      var name = StoredName(
        id: DurableID(uid: UInt32(clamping: uid), name: text), user: row.text(3), wake: row.text(4))
      name.hasVisits = row.integer(5) == 1
      name.lastEvent = UInt64(clamping: row.integer(6) ?? 0)
      name.dropped = Int(min(max(row.integer(7) ?? 0, 0), Int64(Int32.max)))
      name.feed = row.text(8).flatMap { FixFeedKey(words: $0) }
      reader.names[key] = name
      if let words = row.text(8), name.feed == nil {
        reader.setAside(key, as: Self.self, of: reader.owner(key), body: words, reason: "words of no feed")
      }
    }
  }

  /// The precision of the name's events is unknown, so no client may have them.
  static func discard(row: Int64, from tables: StoreTables, now: Instant) throws(StoreError) {
    try tables.database.run("UPDATE names SET view = NULL WHERE key = ?", row)
  }
}

extension StoreWriter {
  mutating func putName(_ id: DurableID, user: String?, wake: String?) throws(StoreError) {
    if let name = self.index.names[id] {
      try self.database.run("UPDATE names SET user = ?, wake = ? WHERE key = ?", user, wake, name.key)
    } else {
      try self.database.run(
        """
        INSERT INTO names (uid, name, user, wake, last_event)
        VALUES (?, ?, ?, ?, coalesce((SELECT last_event FROM retired WHERE uid = ?), 0))
        """, id.uid, id.name, user, wake, id.uid)
      self.index.names[id] = StoreIndex.Name(key: self.database.lastInsertedKey)
    }
  }

  mutating func removeName(_ id: DurableID) throws(StoreError) {
    guard let name = self.index.names.removeValue(forKey: id) else { return }
    try RetiredNumbers.add(ofName: name.key, in: self.database)
    try self.database.run("DELETE FROM names WHERE key = ?", name.key)
  }

  /// Replaces everything that belongs to the name.
  mutating func replaceName(_ stored: StoredName) throws(StoreError) {
    let id = stored.id
    try self.putName(id, user: stored.user, wake: stored.wake)
    let key = try self.index.key(id)
    try self.database.run(
      "UPDATE names SET view = ?, has_visits = ?, last_event = max(last_event, ?), dropped = ? WHERE key = ?",
      stored.feed?.words, stored.hasVisits, stored.lastEvent, stored.dropped, key)
    for table in self.index.tablesOfNames { try self.database.run("DELETE FROM \(table) WHERE name = ?", key) }
    self.index.names[id]?.regions = [:]
    for region in stored.regions { try self.putRegion(region, of: id) }
    if let position = stored.position { try self.putPosition(position, of: id) }
    for event in stored.events { try self.putEvent(event, of: id) }
  }

  func setFeed(_ feed: FixFeedKey?, of id: DurableID) throws(StoreError) {
    try self.database.run("UPDATE names SET view = ? WHERE key = ?", feed?.words, self.index.key(id))
  }

  func putVisits(of id: DurableID) throws(StoreError) {
    try self.database.run("UPDATE names SET has_visits = 1 WHERE key = ?", self.index.key(id))
  }
}

/// The greatest number of an event of any removed name of a user. One for each name would let clients with many names fill
/// the disk.
enum RetiredNumbers: StoredValue {
  static let table = "retired"

  static let steps = [
    1: """
    CREATE TABLE retired (
      uid INTEGER PRIMARY KEY,
      last_event INTEGER NOT NULL
    ) STRICT;
    """
  ]

  static func read(_ reader: inout StateReader) throws(StoreError) {
    try reader.database.rows("SELECT uid, last_event FROM retired") { row in
      guard let uid = row.integer(0), let number = row.integer(1) else { return }
      reader.state.retired[UInt32(clamping: uid)] = UInt64(clamping: number)
    }
  }

  /// The name is about to be removed.
  fileprivate static func add(ofName key: Int64, in database: Database) throws(StoreError) {
    try database.run(
      """
      INSERT INTO retired (uid, last_event) SELECT uid, last_event FROM names WHERE key = ? AND last_event > 0
      ON CONFLICT (uid) DO UPDATE SET last_event = max(last_event, excluded.last_event)
      """, key)
  }
}

extension FixFeedKey {
  /// The stored form: the precision, and the least interval in seconds if there is one ("reduced", "precise 60").
  var words: String {
    let name = self.precision.rawValue
    return self.minInterval > .zero ? "\(name) \(self.minInterval.decimalSeconds)" : name
  }

  /// `nil` if the text does not have that form.
  init?(words: String) {
    let parts = words.split(separator: " ", omittingEmptySubsequences: false)
    guard let first = parts.first, let precision = Precision(rawValue: String(first)), parts.count <= 2 else {
      return nil
    }
    guard parts.count == 2 else {
      self.init(precision: precision)
      return
    }
    guard let interval = Duration(decimalSeconds: parts[1]), interval > .zero else { return nil }
    self.init(precision: precision, minInterval: interval)
  }
}

extension Duration {
  private static let digits = 18

  /// The exact duration in seconds with decimals; it is not negative.
  fileprivate var decimalSeconds: String {
    let (seconds, attoseconds) = self.components
    guard attoseconds > 0 else { return "\(seconds)" }
    var fraction = "\(attoseconds)"
    fraction = String(repeating: "0", count: Self.digits - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return "\(seconds).\(fraction)"
  }

  fileprivate init?(decimalSeconds text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let seconds = parts.first.flatMap({ Int64($0) })
    else { return nil }
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard fraction.utf8.count <= Self.digits,
      let attoseconds = Int64(fraction + String(repeating: "0", count: Self.digits - fraction.utf8.count))
    else { return nil }
    self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }
}
