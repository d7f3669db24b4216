import Broker
import Positioning

/// When units were last started for events, so that a restart of the daemon does not start them sooner.
enum WakeStarts: StoredValue {
  static let table = "wake_starts"

  static let steps = [
    3: """
    -- at: ns since the boot of its clock.
    CREATE TABLE wake_starts (
      uid INTEGER NOT NULL,
      unit TEXT NOT NULL,
      at INTEGER NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks,
      PRIMARY KEY (uid, unit)
    ) STRICT;
    """
  ]

  static func read(_ reader: inout StateReader) throws(StoreError) {
    try reader.database.rows("SELECT uid, unit, at, clock FROM wake_starts") { row in
      guard let uid = row.integer(0).flatMap({ UInt32(exactly: $0) }), let unit = row.text(1), let at = row.integer(2),
        let clock = row.integer(3).flatMap({ reader.clocks[$0] })
      else { return }
      reader.state.wakeStarts[WakeTarget(uid: uid, unit: unit)] = clock.past(Instant(nanoseconds: at))
    }
  }
}

extension StoreWriter {
  func putStart(_ start: Instant, of target: WakeTarget) throws(StoreError) {
    try self.database.run(
      "INSERT OR REPLACE INTO wake_starts (uid, unit, at, clock) VALUES (?, ?, ?, ?)", target.uid, target.unit,
      start.nanoseconds, self.clock)
  }

  func removeStart(of target: WakeTarget) throws(StoreError) {
    try self.database.run("DELETE FROM wake_starts WHERE uid = ? AND unit = ?", target.uid, target.unit)
  }
}
