import Broker
import Positioning

extension StoreTables {
  /// Makes one change, in the open transaction.
  ///
  /// - Throws: Also if the name or the region does not exist. Memory and disk differ then, and ignoring the change
  ///   would break a promise.
  func apply(_ change: StoreChange, clock: Int64, _ index: inout StoreIndex) throws(StoreError) {
    switch change {
    case .putName(let id, let user, let wake): try self.putName(id, user: user, wake: wake, &index)
    case .removeName(let id): try self.removeName(id, &index)
    case .replaceName(let name): try self.replaceName(name, clock: clock, &index)
    case .putRegion(let id, let region): try self.putRegion(id, region, clock: clock, &index)
    case .removeRegion(let id, let region):
      _ = try index.name(id)
      guard let key = index.names[id]?.regions.removeValue(forKey: region) else { return }
      try self.database.run("DELETE FROM regions WHERE key = ?", .integer(key))
    case .setRegionSnapshot(let id, let region, let snapshot):
      guard let key = try index.name(id).regions[region] else { throw index.lacks("region \(region)", of: id) }
      let text = snapshot.body
      try self.database.run(
        "UPDATE regions SET standing = ?, clock = ? WHERE key = ?", .text(text), .integer(clock), .integer(key))
    case .resetRegions(let id): try self.resetRegions(of: index.name(id))
    case .putPosition(let id, let position):
      let name = try index.name(id)
      let body = position.body
      try self.database.run(
        "INSERT OR REPLACE INTO positions (name, body, clock) VALUES (?, ?, ?)", .integer(name.key), .text(body),
        .integer(clock))
    case .removePosition(let id):
      let name = try index.name(id)
      try self.database.run("DELETE FROM positions WHERE name = ?", .integer(name.key))
    case .putVisits(let id):
      let name = try index.name(id)
      try self.database.run("UPDATE names SET has_visits = 1 WHERE key = ?", .integer(name.key))
    case .putEvent(let id, let event): try self.putEvent(id, event, clock: clock, index)
    case .acknowledge(let id, let through):
      let name = try index.name(id)
      try self.removeEvents(of: name, through: through)
    case .overflow(let id, let through, let dropped):
      let name = try index.name(id)
      try self.removeEvents(of: name, through: through)
      try self.database.run(
        "UPDATE names SET dropped = ?, last_event = max(last_event, ?) WHERE key = ?", .integer(Int64(dropped)),
        .integer(Int64(clamping: through)), .integer(name.key))
    case .putVisitMemory(let memory):
      try self.database.run(
        "INSERT OR REPLACE INTO visit_memories (view, body, clock) VALUES (?, ?, ?)",
        .text(FixFeedKey.everything.words), .text(memory.body), .integer(clock))
    case .setFeed(let id, let feed):
      let name = try index.name(id)
      try self.database.run("UPDATE names SET view = ? WHERE key = ?", SQLValue(feed?.words), .integer(name.key))
    case .putDecision(let uid, let decision): try self.putDecision(uid, decision, clock: clock)
    case .removeDecision(let uid):
      try self.database.run("DELETE FROM decisions WHERE uid = ?", .integer(Int64(uid)))
    case .putEnabled(let isEnabled, let unread):
      try self.database.run(
        "INSERT OR REPLACE INTO master_switch (key, is_on, unread) VALUES (0, ?, ?)", .integer(isEnabled ? 1 : 0),
        SQLValue(unread))
    case .putFuzzer(let snapshot):
      try self.database.run(
        "INSERT OR REPLACE INTO disguise (key, body, clock) VALUES (0, ?, ?)",
        .text(snapshot.body), .integer(clock))
    case .putWakeStart(let target, let start):
      try self.database.run(
        "INSERT OR REPLACE INTO wake_starts (uid, unit, at, clock) VALUES (?, ?, ?, ?)", .integer(Int64(target.uid)),
        .text(target.unit), .integer(start.sinceBoot.wholeNanoseconds), .integer(clock))
    case .removeWakeStart(let target):
      try self.database.run(
        "DELETE FROM wake_starts WHERE uid = ? AND unit = ?", .integer(Int64(target.uid)), .text(target.unit))
    case .putStoppedReceiver(let stopped?):
      try self.database.run(
        "INSERT OR REPLACE INTO stopped_receiver (key, rung, device, unit, off_unit) VALUES (0, ?, ?, ?, ?)",
        .text(stopped.rung.rawValue), SQLValue(stopped.device), SQLValue(stopped.unit), SQLValue(stopped.offUnit))
    case .putStoppedReceiver(nil): try self.database.run("DELETE FROM stopped_receiver")
    case .putReceiver(let memory):
      try self.database.run(
        "INSERT OR REPLACE INTO receiver_memory (key, body, clock) VALUES (0, ?, ?)", .text(memory.body),
        .integer(clock))
    }
  }

  // MARK: Names

  private func putName(
    _ id: DurableID, user: String?, wake: String?, _ index: inout StoreIndex
  ) throws(StoreError) {
    if let name = index.names[id] {
      try self.database.run(
        "UPDATE names SET user = ?, wake = ? WHERE key = ?", SQLValue(user), SQLValue(wake), .integer(name.key))
    } else {
      let uid = SQLValue.integer(Int64(id.uid))
      try self.database.run(
        """
        INSERT INTO names (uid, name, user, wake, last_event)
        VALUES (?, ?, ?, ?, coalesce((SELECT last_event FROM retired WHERE uid = ?), 0))
        """, uid, .text(id.name), SQLValue(user), SQLValue(wake), uid)
      index.names[id] = StoreIndex.Name(key: self.database.lastInsertedKey)
    }
  }

  /// The last number is remembered for all names of the user together; one for each name would let clients with many
  /// names fill the disk.
  private func removeName(_ id: DurableID, _ index: inout StoreIndex) throws(StoreError) {
    guard let name = index.names.removeValue(forKey: id) else { return }
    try self.database.run(
      """
      INSERT INTO retired (uid, last_event) SELECT uid, last_event FROM names WHERE key = ? AND last_event > 0
      ON CONFLICT (uid) DO UPDATE SET last_event = max(last_event, excluded.last_event)
      """, .integer(name.key))
    try self.database.run("DELETE FROM names WHERE key = ?", .integer(name.key))
  }

  /// Replaces everything that belongs to the name.
  private func replaceName(_ stored: StoredName, clock: Int64, _ index: inout StoreIndex) throws(StoreError) {
    try self.putName(stored.id, user: stored.user, wake: stored.wake, &index)
    let key = SQLValue.integer(try index.name(stored.id).key)
    try self.database.run(
      "UPDATE names SET view = ?, has_visits = ?, last_event = max(last_event, ?), dropped = ? WHERE key = ?",
      SQLValue(stored.feed?.words), .integer(stored.hasVisits ? 1 : 0), .integer(Int64(clamping: stored.lastEvent)),
      .integer(Int64(stored.dropped)), key)
    for table in StoreTable.allCases where table.belongsToName {
      try self.database.run("DELETE FROM \(table.rawValue) WHERE name = ?", key)
    }
    index.names[stored.id]?.regions = [:]
    for region in stored.regions { try self.putRegion(stored.id, region, clock: clock, &index) }
    if let position = stored.position {
      try self.database.run(
        "INSERT INTO positions (name, body, clock) VALUES (?, ?, ?)", key,
        .text(position.body), .integer(clock))
    }
    for event in stored.events { try self.putEvent(stored.id, event, clock: clock, index) }
  }

  // MARK: Decisions

  private func putDecision(_ uid: UInt32, _ decision: Decision, clock: Int64) throws(StoreError) {
    try self.database.run(
      "INSERT OR REPLACE INTO decisions (uid, user, body, clock) VALUES (?, ?, ?, ?)", .integer(Int64(uid)),
      .text(decision.user ?? ""), .text(decision.body), .integer(clock))
  }

  // MARK: Regions

  private func putRegion(
    _ id: DurableID, _ stored: StoredRegion, clock: Int64, _ index: inout StoreIndex
  ) throws(StoreError) {
    let name = try index.name(id)
    let body = SQLValue.text(RegionRecord(stored).body)
    let snapshot = SQLValue.text(stored.snapshot.body)
    if let key = name.regions[stored.region.id] {
      try self.database.run(
        "UPDATE regions SET body = ?, standing = ?, clock = ? WHERE key = ?", body, snapshot, .integer(clock),
        .integer(key))
    } else {
      try self.database.run(
        "INSERT INTO regions (name, id, body, standing, clock) VALUES (?, ?, ?, ?, ?)", .integer(name.key),
        .text(stored.region.id), body, snapshot, .integer(clock))
      index.names[id]?.regions[stored.region.id] = self.database.lastInsertedKey
    }
  }

  /// The end of a region counts from the boot of its clock, which is kept.
  private func resetRegions(of name: StoreIndex.Name) throws(StoreError) {
    var snapshots: [(key: Int64, text: String)] = []
    try self.database.rows("SELECT key, standing FROM regions WHERE name = ?", .integer(name.key)) { row in
      if let key = row.integer(0) { snapshots.append((key, row.text(1) ?? "")) }
    }
    for (key, text) in snapshots {
      var snapshot: RegionSnapshot
      do throws(UnreadableRecord) {
        snapshot = try RegionSnapshot(body: text)
        snapshot.forget()
      } catch {
        snapshot = RegionSnapshot()
      }
      try self.database.run(
        "UPDATE regions SET standing = ? WHERE key = ?", .text(snapshot.body), .integer(key))
    }
  }

  // MARK: Events

  private func putEvent(
    _ id: DurableID, _ event: DurableEvent, clock: Int64, _ index: StoreIndex
  ) throws(StoreError) {
    let name = try index.name(id)
    let number = SQLValue.integer(Int64(clamping: event.id))
    try self.database.run(
      "INSERT OR REPLACE INTO events (name, id, body, clock) VALUES (?, ?, ?, ?)", .integer(name.key), number,
      .text(EventRecord(event).body), .integer(clock))
    try self.database.run(
      "UPDATE names SET last_event = max(last_event, ?) WHERE key = ?", number, .integer(name.key))
  }

  private func removeEvents(of name: StoreIndex.Name, through: UInt64) throws(StoreError) {
    try self.database.run(
      "DELETE FROM events WHERE name = ? AND id <= ?", .integer(name.key), .integer(Int64(clamping: through)))
  }
}
