import Broker
import JSONRPC
import Positioning

extension Decision: StoredValue, Record {
  static let table = "decisions"
  static let kind = "decision"

  static let steps = [
    2: """
    -- What persons answered, for all programs of a user; user: whose number it was then.
    CREATE TABLE decisions (
      uid INTEGER PRIMARY KEY,
      user TEXT NOT NULL,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;
    """
  ]

  /// The user is in a column.
  static let record = ObjectCodec<Decision>(blank: Decision(user: nil, level: nil, at: .blank)) {
    Field.required("at", \.at, .moment)
    Field.optional("level", \.level, .word)
    Field.required("precision", \.precision, .word)
  }

  mutating func map(by clock: ClockMapping) { self.at = clock.past(self.at) }

  static func read(_ reader: inout StateReader) throws(StoreError) {
    try reader.database.rows("SELECT uid, body, clock, user FROM decisions") { row in
      guard let number = row.integer(0), let user = row.text(3) else { return }
      let uid = UInt32(exactly: number)
      let owner = RowOwner(uid: number, id: user)
      let decision: Self? = reader.value(row, of: owner) { decision, _ throws(UnreadableRecord) in
        guard uid != nil else { throw UnreadableRecord("a number that no user has") }
        decision.user = user
      }
      // The unreadable decision may have been a denial.
      if let uid { reader.state.decisions[uid] = decision ?? Decision(user: user, level: nil, at: reader.now) }
    }
  }

  /// It is a denial from now on.
  static func discard(row: Int64, from tables: StoreTables, now: Instant) throws(StoreError) {
    guard UInt32(exactly: row) != nil else { return try self.delete(about: row, in: tables.database) }
    let denial = Decision(user: nil, level: nil, at: now)
    try tables.database.run(
      "UPDATE decisions SET body = ?, clock = ? WHERE uid = ?", denial.body, tables.currentStamp().key, row)
  }

  static func delete(about uid: Int64, in database: Database) throws(StoreError) {
    try database.run("DELETE FROM decisions WHERE uid = ?", uid)
  }
}

extension StoreWriter {
  func putDecision(_ decision: Decision, about uid: UInt32) throws(StoreError) {
    try self.database.run(
      "INSERT OR REPLACE INTO decisions (uid, user, body, clock) VALUES (?, ?, ?, ?)", uid, decision.user ?? "",
      decision.body, self.clock)
  }

  func removeDecision(about uid: UInt32) throws(StoreError) {
    try Decision.delete(about: Int64(uid), in: self.database)
  }
}
