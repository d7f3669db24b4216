import Glibc
package import Positioning
package import SQLite

/// How much of the history is kept.
package struct KeepingLimits: Hashable, Sendable {
  /// Days of which every fix is kept.
  package var wholeDays = 7
  /// Days, from today on, of which a fix a minute is kept. Of what is older, stays and ways are.
  package var minuteDays = 90
  /// Days after which everything goes.
  package var days = 3650
  /// Bytes of the file; beyond it the oldest days go.
  package var bytes = 256 << 20
  /// Bytes that the file system keeps free: with fewer nothing is recorded.
  package var reserve = 64 << 20

  package init() {}
}

extension HistoryFile {
  /// Does the next piece of what age and limits demand: one day at most, so that it takes a moment.
  ///
  /// - Returns: Whether there may be more to do.
  package func keepWithin(_ limits: KeepingLimits, now: Timestamp) throws(StoreError) -> Bool {
    try self.database.transaction { () throws(StoreError) in
      if try self.thinDay(to: .minutes, before: now.day - Int64(limits.wholeDays)) { return true }
      if try self.thinDay(to: .ways, before: now.day - Int64(limits.minuteDays)) { return true }
      guard let first = try self.extent()?.lowerBound.day else { return false }
      let isTooOld = first < now.day - Int64(limits.days)
      let bytes = try self.usedBytes()
      guard isTooOld || bytes > limits.bytes else { return false }
      guard first < now.day || isTooOld else { return false }
      try self.delete(ClosedRange.all.lowerBound...Timestamp(milliseconds: Timestamp(day: first + 1).milliseconds - 1))
      return true
    }
  }

  /// The bytes of the file that are in use. Others are used again before it grows.
  package func usedBytes() throws(StoreError) -> Int {
    let pages = try self.database.integer("PRAGMA page_count") ?? 0
    let free = try self.database.integer("PRAGMA freelist_count") ?? 0
    return Int((pages - free) * (try self.database.integer("PRAGMA page_size") ?? 0))
  }

  /// The bytes that the file system has left for this user; `nil`: it does not say.
  package var freeBytes: Int? {
    var system = statvfs()
    guard unsafe statvfs(self.path, &system) == 0 else { return nil }
    return Int(clamping: UInt64(system.f_bavail) * UInt64(system.f_frsize))
  }

  /// Thins the oldest day that has more detail.
  private func thinDay(to detail: Detail, before end: Int64) throws(StoreError) -> Bool {
    let found = try self.database.integer(
      "SELECT start FROM block WHERE detail = ? AND start < ? ORDER BY start LIMIT 1", detail.rawValue - 1,
      Timestamp(day: end).milliseconds)
    guard let found else { return false }
    let day = Timestamp(milliseconds: found).day
    let range = Timestamp(day: day)...Timestamp(milliseconds: Timestamp(day: day + 1).milliseconds - 1)
    let fixes = try self.fixes(in: range)
    let kept: [HistoryFix]
    switch detail {
    case .all: kept = fixes
    case .minutes: kept = Thinning.minutes(fixes)
    case .ways:
      let stays = try self.stays(in: range).compactMap { stay -> ClosedRange<Timestamp>? in
        let (arrival, departure) = (stay.arrival ?? range.lowerBound, stay.departure ?? range.upperBound)
        return arrival <= departure ? arrival...departure : nil
      }
      kept = Thinning.ways(fixes, stays: stays)
    }
    try self.database.run(
      "DELETE FROM block WHERE start BETWEEN ? AND ?", range.lowerBound.milliseconds, range.upperBound.milliseconds)
    try self.database.run(
      "DELETE FROM tail WHERE time BETWEEN ? AND ?", range.lowerBound.milliseconds, range.upperBound.milliseconds)
    try self.replace(kept, detail: detail)
    return true
  }
}
