import EventLoop
import Glibc
import Positioning
package import SQLite

/// Copies of the history, and what is merged into it.
extension HistoryFile {
  /// Writes a whole copy, which only its owner may read.
  package func copy(to path: String) throws(StoreError) {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(.last("write \(path)")) }
    close(descriptor)
    try self.database.run("VACUUM INTO ?", path)
  }

  /// Where the history has a fix that near, an imported one says nothing new, even if the history was thinned.
  private static let nearest = Duration.seconds(60)

  /// Adds what is not there yet, all or nothing.
  ///
  /// - Returns: How many fixes and stays were added.
  package func merge(_ imported: ImportedHistory) throws(StoreError) -> (fixes: Int, stays: Int) {
    try self.database.transaction { () throws(StoreError) in
      var added = 0
      for (day, fixes) in [Int64: [HistoryFix]](grouping: imported.fixes, by: \.day).sorted(by: { $0.key < $1.key }) {
        let range = (Timestamp(day: day) + (.zero - Self.nearest))...(Timestamp(day: day + 1) + Self.nearest)
        let present = try self.fixes(in: range).map(\.time)
        let new = fixes.inOrder.withoutRepeats.filter { !present.has(near: $0.time, within: Self.nearest) }
        try self.replace(new, detail: .all)
        added += new.count
      }
      let known = try self.stays()
      let stays = imported.stays.filter { stay in
        !known.contains { $0.arrival == stay.arrival && $0.departure == stay.departure && $0.place == stay.place }
      }
      for var stay in stays {
        stay.number = nil
        try self.add(stay)
      }
      return (added, stays.count)
    }
  }
}

extension [HistoryFix] {
  /// The first of each millisecond, of fixes in order.
  fileprivate var withoutRepeats: [HistoryFix] {
    self.enumerated().filter { $0.offset == 0 || self[$0.offset - 1].time != $0.element.time }.map(\.element)
  }
}

extension [Timestamp] {
  /// Whether one of them, which are in order, is that near.
  fileprivate func has(near time: Timestamp, within distance: Duration) -> Bool {
    var (low, high) = (0, self.count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < time { low = middle + 1 } else { high = middle }
    }
    return [low - 1, low].contains { self.indices.contains($0) && abs((self[$0] - time).seconds) <= distance.seconds }
  }
}

extension ImportedHistory {
  /// All fixes and stays of another history.
  package init(_ file: HistoryFile) throws(StoreError) {
    self.init()
    self.fixes = try file.fixes(in: .all)
    self.stays = try file.stays()
  }
}
