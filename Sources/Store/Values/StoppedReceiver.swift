import Broker
import Positioning

/// A receiver that was turned off is turned on by the next daemon.
extension StoppedReceiver: StoredValue {
  static let table = "stopped_receiver"

  static let steps = [
    5: """
    -- rung: what turned it off; device: its path as gpsd knows it; unit: the system unit that turns it on.
    CREATE TABLE stopped_receiver (
      key INTEGER PRIMARY KEY CHECK (key = 0),
      rung TEXT NOT NULL,
      device TEXT,
      unit TEXT
    ) STRICT;
    """,
    7: """
    -- The system unit that turned it off, which may still run; NULL: none, or not known.
    ALTER TABLE stopped_receiver ADD COLUMN off_unit TEXT;
    """,
  ]

  /// A rung that this version does not know was that of a later one: its start is not known either.
  static func read(_ reader: inout StateReader) throws(StoreError) {
    try reader.database.rows("SELECT rung, device, unit, off_unit FROM stopped_receiver") { row in
      guard let rung = row.text(0).flatMap({ PowerRung(rawValue: $0) }) else { return }
      reader.state.stoppedReceiver = StoppedReceiver(
        rung: rung, device: row.text(1), unit: row.text(2), offUnit: row.text(3))
    }
  }
}

extension StoreWriter {
  /// - Parameter stopped: `nil`: none.
  func putStoppedReceiver(_ stopped: StoppedReceiver?) throws(StoreError) {
    guard let stopped else { return try self.database.run("DELETE FROM stopped_receiver") }
    try self.database.run(
      "INSERT OR REPLACE INTO stopped_receiver (key, rung, device, unit, off_unit) VALUES (0, ?, ?, ?, ?)",
      stopped.rung.rawValue, stopped.device, stopped.unit, stopped.offUnit)
  }
}
