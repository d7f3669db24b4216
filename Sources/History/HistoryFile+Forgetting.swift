package import Positioning
package import SQLite

/// What is forgotten is deleted, and its bytes are gone from the file.
extension HistoryFile {
  /// Deletes everything of the range, which a caller does in a transaction.
  func delete(_ range: ClosedRange<Timestamp>) throws(StoreError) {
    let (from, to) = (range.lowerBound.milliseconds, range.upperBound.milliseconds)
    // Blocks that reach out of the range keep their other fixes.
    for block in try self.blocks(across: range) {
      try self.keep(block.fixes.filter { !range.contains($0.time) }, of: block)
    }
    try self.database.run("DELETE FROM block WHERE start >= ? AND until <= ?", from, to)
    try self.database.run("DELETE FROM tail WHERE time BETWEEN ? AND ?", from, to)
    try self.database.run(
      "DELETE FROM stay WHERE ifnull(arrival, departure) <= ?2 AND ifnull(departure, arrival) >= ?1", from, to)
    try self.database.run("DELETE FROM passage WHERE time BETWEEN ? AND ?", from, to)
    try self.database.run("DELETE FROM power WHERE time BETWEEN ? AND ?", from, to)
    try self.database.run("DELETE FROM gap WHERE start <= ?2 AND ifnull(until, start) >= ?1", from, to)
  }

  /// The blocks of which some fixes may be in the range and others are not.
  private func blocks(across range: ClosedRange<Timestamp>) throws(StoreError) -> [PackedBlock] {
    let (from, to) = (range.lowerBound.milliseconds, range.upperBound.milliseconds)
    var blocks: [PackedBlock] = []
    var damage: StoreError?
    try self.database.rows(
      """
      SELECT id, detail, fixes FROM block
      WHERE start > ?1 - 86400000 AND start <= ?2 AND until >= ?1 AND (start < ?1 OR until > ?2 OR ?1 = ?2)
      """, from, to
    ) { row in
      let id = row.integer(0) ?? 0
      do throws(StoreError) {
        blocks.append(
          PackedBlock(
            id: id, detail: Int(row.integer(1) ?? 0), fixes: try self.unpacked(row.blob(2) ?? [], row: id)))
      } catch {
        damage = error
      }
    }
    if let damage { throw damage }
    return blocks
  }

  /// Keeps only these fixes of a block. Where some are missing now, a segment begins.
  private func keep(_ fixes: [HistoryFix], of block: PackedBlock) throws(StoreError) {
    try self.database.run("DELETE FROM block WHERE id = ?", block.id)
    let times = Set(fixes.map(\.time))
    var kept: [HistoryFix] = []
    var isMissing = false
    for fix in block.fixes {
      guard times.contains(fix.time) else {
        isMissing = true
        continue
      }
      var fix = fix
      if isMissing { fix.beginsSegment = true }
      isMissing = false
      kept.append(fix)
    }
    try self.replace(kept, detail: Detail(rawValue: block.detail) ?? .all)
  }

  /// Makes the first fix after a time begin a segment, because those before it are gone.
  private func beginSegment(after time: Timestamp) throws(StoreError) {
    guard var fix = try self.around(time).after, !fix.beginsSegment else { return }
    fix.beginsSegment = true
    let moment = fix.time...fix.time
    if try self.waitingFixes(in: moment).isEmpty {
      for block in try self.blocks(across: moment) {
        try self.database.run("DELETE FROM block WHERE id = ?", block.id)
        try self.replace(
          block.fixes.map { $0.time == fix.time ? fix : $0 }, detail: Detail(rawValue: block.detail) ?? .all)
      }
    } else {
      try self.database.run("UPDATE tail SET fix = ? WHERE time = ?", FixBlock.packed([fix]), fix.time.milliseconds)
    }
  }

  /// Forgets everything of a time: afterwards no byte of it is in the file or beside it.
  package func forget(_ range: ClosedRange<Timestamp>) throws(StoreError) {
    try self.database.transaction { () throws(StoreError) in
      try self.delete(range)
      try self.beginSegment(after: range.upperBound)
    }
    try self.scrub()
  }

  /// Forgets the fixes, stays and events within a circle, and the other events of regions that have some there.
  package func forget(_ circle: HistoryCircle) throws(StoreError) {
    try self.database.transaction { () throws(StoreError) in
      for block in try self.blocks(near: circle) {
        try self.keep(block.fixes.filter { !circle.contains($0.coordinate) }, of: block)
        if let last = block.fixes.last, circle.contains(last.coordinate) { try self.beginSegment(after: last.time) }
      }
      for fix in try self.waitingFixes(in: .all) where circle.contains(fix.coordinate) {
        try self.database.run("DELETE FROM tail WHERE time = ?", fix.time.milliseconds)
        try self.beginSegment(after: fix.time)
      }
      for stay in try self.stays() where circle.contains(stay.place) {
        try self.database.run(
          "DELETE FROM stay WHERE latitude = ? AND longitude = ?", stay.place.latitude, stay.place.longitude)
      }
      let regions = try self.passages().filter { $0.place.map(circle.contains) ?? false }.map(\.region)
      for region in Set(regions) { try self.database.run("DELETE FROM passage WHERE region = ?", region) }
    }
    try self.scrub()
  }

  /// Rewrites the file without what was deleted, and empties the log beside it.
  private func scrub() throws(StoreError) {
    try self.emptyLog()
    try self.database.run("VACUUM")
    try self.emptyLog()
  }

  private func emptyLog() throws(StoreError) {
    var isBusy = false
    try self.database.rows("PRAGMA wal_checkpoint(TRUNCATE)") { isBusy = $0.integer(0) != 0 }
    guard !isBusy else {
      throw StoreError(
        .transient, self.path,
        "another program reads it, so the log beside it still has what was forgotten: run the command again")
    }
  }
}
