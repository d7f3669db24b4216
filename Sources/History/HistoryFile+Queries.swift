package import Positioning
package import SQLite

/// What the history knows. Everything is in the order of time.
extension HistoryFile {
  package func fixes(in range: ClosedRange<Timestamp>) throws(StoreError) -> [HistoryFix] {
    var fixes = try self.packedFixes(in: range)
    fixes += try self.waitingFixes(in: range)
    return fixes.inOrder
  }

  func waitingFixes(in range: ClosedRange<Timestamp>) throws(StoreError) -> [HistoryFix] {
    try self.unpack(
      "SELECT time, fix FROM tail WHERE time BETWEEN ? AND ? AND time >= ? ORDER BY time", range, back: 0)
  }

  /// No block is longer than a day, so the index finds all that reach into the range.
  private func packedFixes(in range: ClosedRange<Timestamp>) throws(StoreError) -> [HistoryFix] {
    try self.unpack(
      "SELECT id, fixes FROM block WHERE start BETWEEN ? AND ? AND until >= ? ORDER BY start", range, back: 86_400_000)
  }

  /// - Parameter back: How much earlier than the range a row may begin, in milliseconds.
  private func unpack(
    _ sql: String, _ range: ClosedRange<Timestamp>, back: Int64
  ) throws(StoreError) -> [HistoryFix] {
    var found: [HistoryFix] = []
    var damage: StoreError?
    let (from, to) = (range.lowerBound.milliseconds, range.upperBound.milliseconds)
    try self.database.rows(sql, from - back, to, from) { row in
      do throws(StoreError) {
        let fixes = try self.unpacked(row.blob(1) ?? [], row: row.integer(0) ?? 0)
        if let first = fixes.first, let last = fixes.last, range.contains(first.time), range.contains(last.time) {
          found += fixes
        } else {
          found += fixes.filter { range.contains($0.time) }
        }
      } catch {
        damage = error
      }
    }
    if let damage { throw damage }
    return found
  }

  func unpacked(_ bytes: [UInt8], row: Int64) throws(StoreError) -> [HistoryFix] {
    do throws(FixBlock.Damage) {
      return try FixBlock.unpacked(bytes)
    } catch {
      throw StoreError(
        .unusable, self.path,
        "the fixes of row \(row) are damaged at byte \(error.offset): restore a copy, or move the file away")
    }
  }

  /// The newest fix up to the time, and the first one after it.
  package func around(_ time: Timestamp) throws(StoreError) -> (before: HistoryFix?, after: HistoryFix?) {
    let before = try self.time(
      """
      SELECT max(start) FROM (SELECT max(start) AS start FROM block WHERE start <= ?1
        UNION ALL SELECT max(time) FROM tail WHERE time <= ?1)
      """, time)
    let after = try self.time(
      """
      SELECT min(t) FROM (
        SELECT * FROM (
          SELECT CASE WHEN start > ?1 THEN start ELSE until END AS t FROM block
          WHERE start > ?1 - 86400000 AND until > ?1 ORDER BY start LIMIT 1)
        UNION ALL SELECT min(time) FROM tail WHERE time > ?1)
      """, time)
    let fixes = try self.fixes(in: min(before ?? time, time)...max(after ?? time, time))
    return (fixes.last { $0.time <= time }, fixes.first { $0.time > time })
  }

  private func time(_ sql: String, _ time: Timestamp) throws(StoreError) -> Timestamp? {
    try self.database.integer(sql, time.milliseconds).map { Timestamp(milliseconds: $0) }
  }

  /// The times of the first and the last fix; `nil`: there is none.
  package func extent() throws(StoreError) -> ClosedRange<Timestamp>? {
    let first = try self.database.integer(
      "SELECT min(t) FROM (SELECT min(start) AS t FROM block UNION ALL SELECT min(time) FROM tail)")
    let last = try self.database.integer(
      """
      SELECT max(t) FROM (
        SELECT max(until) AS t FROM block WHERE start > (SELECT max(start) FROM block) - 86400000
        UNION ALL SELECT max(time) FROM tail)
      """)
    guard let first, let last else { return nil }
    return Timestamp(milliseconds: first)...Timestamp(milliseconds: last)
  }

  package func count() throws(StoreError) -> Int {
    let sql = "SELECT (SELECT ifnull(sum(count), 0) FROM block) + (SELECT count(*) FROM tail)"
    return Int(try self.database.integer(sql) ?? 0)
  }

  /// The stays of which some time is in the range.
  package func stays(in range: ClosedRange<Timestamp> = .all) throws(StoreError) -> [Stay] {
    var stays: [Stay] = []
    try self.database.rows(
      """
      SELECT number, arrival, departure, latitude, longitude, accuracy FROM stay
      WHERE ifnull(arrival, departure) <= ? AND ifnull(departure, ?) >= ? ORDER BY ifnull(arrival, departure)
      """, range.upperBound.milliseconds, Int64.max, range.lowerBound.milliseconds
    ) { row in
      guard let latitude = row.number(3), let longitude = row.number(4) else { return }
      stays.append(
        Stay(
          number: row.integer(0).map { Int($0) }, place: Coordinate(latitude: latitude, longitude: longitude),
          accuracy: row.number(5), arrival: row.time(1), departure: row.time(2)))
    }
    return stays
  }

  package func passages(in range: ClosedRange<Timestamp> = .all) throws(StoreError) -> [Passage] {
    var passages: [Passage] = []
    try self.database.rows(
      "SELECT time, region, kind, latitude, longitude FROM passage WHERE time BETWEEN ? AND ? ORDER BY time, id",
      range.lowerBound.milliseconds, range.upperBound.milliseconds
    ) { row in
      guard let time = row.time(0), let region = row.text(1), let kind = row.text(2) else { return }
      var place: Coordinate?
      if let latitude = row.number(3), let longitude = row.number(4) {
        place = Coordinate(latitude: latitude, longitude: longitude)
      }
      passages.append(
        Passage(time: time, region: region, kind: RegionEventKind(rawValue: kind) ?? .unknown, place: place))
    }
    return passages
  }

  /// The gaps of which some time is in the range.
  package func gaps(in range: ClosedRange<Timestamp> = .all) throws(StoreError) -> [Gap] {
    var gaps: [Gap] = []
    try self.database.rows(
      "SELECT start, until, cause FROM gap WHERE start <= ? AND ifnull(until, ?) >= ? ORDER BY start",
      range.upperBound.milliseconds, Int64.max, range.lowerBound.milliseconds
    ) { row in
      guard let start = row.time(0), let cause = row.text(2).flatMap({ Gap.Cause(rawValue: $0) }) else { return }
      gaps.append(Gap(start: start, end: row.time(1), cause: cause))
    }
    return gaps
  }

  /// The changes of the receiver's power in the range, after the last one before it.
  package func power(in range: ClosedRange<Timestamp> = .all) throws(StoreError) -> [PowerChange] {
    var changes: [PowerChange] = []
    try self.database.rows(
      """
      SELECT time, is_on FROM power
      WHERE time BETWEEN ifnull((SELECT max(time) FROM power WHERE time <= ?1), ?1) AND ?2 ORDER BY time
      """, range.lowerBound.milliseconds, range.upperBound.milliseconds
    ) { row in
      if let time = row.time(0) { changes.append(PowerChange(time: time, isOn: row.integer(1) == 1)) }
    }
    return changes
  }

  /// When the device was within a radius of a place: times from the first to the last fix there, with the nearest distance.
  ///
  /// - Parameter pause: A longer time without a fix there begins another one.
  package func nearness(
    to circle: HistoryCircle, in range: ClosedRange<Timestamp> = .all, pause: Duration = .seconds(600)
  ) throws(StoreError) -> [Nearness] {
    var found: [Nearness] = []
    for fix in try self.fixes(near: circle) where range.contains(fix.time) {
      let distance = circle.distance(to: fix.coordinate)
      if var last = found.last, fix.time - last.until <= pause {
        last.until = fix.time
        last.distance = min(last.distance, distance)
        found[found.count - 1] = last
      } else {
        found.append(Nearness(from: fix.time, until: fix.time, distance: distance))
      }
    }
    return found
  }

  /// The fixes within the circle.
  private func fixes(near circle: HistoryCircle) throws(StoreError) -> [HistoryFix] {
    var fixes: [HistoryFix] = []
    for block in try self.blocks(near: circle) { fixes += block.fixes.filter { circle.contains($0.coordinate) } }
    fixes += try self.waitingFixes(in: .all).filter { circle.contains($0.coordinate) }
    return fixes.inOrder
  }

  /// The blocks with fixes that may be within the circle, and all of their fixes.
  func blocks(near circle: HistoryCircle) throws(StoreError) -> [PackedBlock] {
    var blocks: [PackedBlock] = []
    var damage: StoreError?
    let box = circle.box
    try self.database.rows(
      """
      SELECT id, detail, fixes FROM block WHERE south <= ? AND north >= ? AND (west <= ? AND east >= ? OR ?)
      ORDER BY start
      """, box.north, box.south, box.east, box.west, box.isAround
    ) { row in
      let id = row.integer(0) ?? 0
      do throws(StoreError) {
        let fixes = try self.unpacked(row.blob(2) ?? [], row: id)
        blocks.append(PackedBlock(id: id, detail: Int(row.integer(1) ?? 0), fixes: fixes))
      } catch {
        damage = error
      }
    }
    if let damage { throw damage }
    return blocks
  }
}

/// One row of fixes.
struct PackedBlock {
  let id: Int64
  let detail: Int
  let fixes: [HistoryFix]
}

/// A time near a place.
package struct Nearness: Hashable, Sendable {
  package var from: Timestamp
  package var until: Timestamp
  /// The least one, in metres.
  package var distance: Double
}

extension SQLRow {
  func time(_ column: Int32) -> Timestamp? { self.integer(column).map { Timestamp(milliseconds: $0) } }
}

extension [HistoryFix] {
  /// Sorted by time, unless they are already: the clock may have been set back while they were recorded.
  var inOrder: [HistoryFix] {
    let isSorted = zip(self, self.dropFirst()).allSatisfy { $0.time <= $1.time }
    return isSorted ? self : self.sorted { $0.time < $1.time }
  }
}
