import Broker
import Positioning

/// A row that this version cannot read. A copy is stored for whoever wants to look.
struct UnreadableRow {
  let stored: any StoredValue.Type
  /// Its number in its table.
  let row: Int64
  let owner: RowOwner
  let body: String
  let reason: String
}

/// Whose a row is: a user's number, a durable name, and what else distinguishes it from other rows.
struct RowOwner {
  var uid: Int64?
  var name: String?
  var id: String?
}

extension UnreadableRow: StoredValue {
  /// How many are kept for inspection.
  private static let kept: Int64 = 1000

  static let table = "unreadable"

  static let steps = [
    1: """
    CREATE TABLE unreadable (
      key INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      uid INTEGER,
      name TEXT,
      id TEXT,
      body TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;
    """
  ]

  /// Only people read them.
  static func read(_ reader: inout StateReader) throws(StoreError) {}

  func copy(in database: Database) throws(StoreError) {
    try database.run(
      "INSERT INTO unreadable (kind, uid, name, id, body, reason) VALUES (?, ?, ?, ?, ?, ?)", self.stored.kind,
      self.owner.uid, self.owner.name, self.owner.id, self.body, self.reason)
  }

  static func deleteOldest(in database: Database) throws(StoreError) {
    try database.run("DELETE FROM unreadable WHERE key <= (SELECT max(key) FROM unreadable) - ?", Self.kept)
  }
}
