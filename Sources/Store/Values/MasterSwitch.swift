import Broker

/// Whether anybody may know a position. It is on where there is no row.
enum MasterSwitch: StoredValue {
  static let table = "master_switch"

  static let steps = [
    2: """
    CREATE TABLE master_switch (
      key INTEGER PRIMARY KEY CHECK (key = 0),
      is_on INTEGER NOT NULL
    ) STRICT;
    """,
    4: """
    -- Why nobody knows what was decided before, for people; NULL: it could be read, or the switch was turned on since.
    ALTER TABLE master_switch ADD COLUMN unread TEXT;
    """,
  ]

  static func read(_ reader: inout StateReader) throws(StoreError) {
    (reader.state.isEnabled, reader.state.unread) = try self.state(in: reader.database)
  }

  static func state(in database: Database) throws(StoreError) -> (isOn: Bool, unread: String?) {
    var state: (isOn: Bool, unread: String?) = (true, nil)
    try database.rows("SELECT is_on, unread FROM master_switch") { state = ($0.integer(0) == 1, $0.text(1)) }
    return state
  }
}

extension StoreWriter {
  func putSwitch(isOn: Bool, unread: String?) throws(StoreError) {
    try self.database.run("INSERT OR REPLACE INTO master_switch (key, is_on, unread) VALUES (0, ?, ?)", isOn, unread)
  }
}
