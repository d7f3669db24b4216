import Broker
import Positioning

extension StoreTables {
  /// How many unreadable rows are kept for inspection.
  private static let unreadableKept: Int64 = 1000
  /// How many boots are remembered before those without any moments are forgotten.
  private static let clocksKept = 8

  /// The stored state on this boot's clock, without unreadable rows, and without decisions about users that are shared by
  /// services. Both are removed from the tables. Whose the rest is the daemon finds out later.
  ///
  /// - Parameter log: Called with one message for each.
  func load(now: Instant, log: (LogKind, LogMessage) -> Void) throws(StoreError) -> StoredState {
    let reader = try StateReader(self, now: now)
    var state = reader.state
    state.names = reader.sortedNames
    let shared = state.decisions.keys.filter { Principal.dynamicUsers.contains($0) }.sorted()
    for uid in shared { state.decisions[uid] = nil }
    self.clean(shared, reader.unreadable, now: now, log)
    if reader.clockCount > Self.clocksKept {
      do throws(StoreError) {
        try self.database.run(StoreTable.deletionOfUnusedClocks)
      } catch {
        log(.entriesUnreadable, "earlier boots that no entry needs any more could not be removed: \(error)")
      }
    }
    return state
  }

  private func report(_ unreadable: [StateReader.Unreadable], _ log: (LogKind, LogMessage) -> Void) {
    guard let first = unreadable.first else { return }
    log(
      .entriesUnreadable,
      "stored entries that cannot be read were moved to the table unreadable of \(self.database.path): "
        + "\(unreadable.count); the first: \(first.row.kind), \(first.reason)")
  }

  /// Removes the rows that were not returned from the tables, and logs what was done.
  ///
  /// - Parameter shared: The users whose decisions were not returned.
  private func clean(
    _ shared: [UInt32], _ unreadable: [StateReader.Unreadable], now: Instant, _ log: (LogKind, LogMessage) -> Void
  ) {
    guard !shared.isEmpty || !unreadable.isEmpty else { return }
    do throws(StoreError) {
      try self.database.transaction { () throws(StoreError) in
        for uid in shared { try self.database.run("DELETE FROM decisions WHERE uid = ?", .integer(Int64(uid))) }
        for row in unreadable { try self.setAside(row, now: now) }
        try self.database.run(
          "DELETE FROM unreadable WHERE key <= (SELECT max(key) FROM unreadable) - ?", .integer(Self.unreadableKept))
      }
      for uid in shared {
        log(
          .ownerChanged,
          "user \(uid, .user) is shared by services, one after the other: its stored decision is removed")
      }
      self.report(unreadable, log)
    } catch {
      log(
        .entriesUnreadable,
        "\(unreadable.count) stored entries that cannot be read, and those of \(shared.count) users that are not theirs any"
          + " more, are ignored and could not be removed: \(error)")
    }
  }

  private func setAside(_ unreadable: StateReader.Unreadable, now: Instant) throws(StoreError) {
    let kind = SQLValue.text(unreadable.row.kind)
    let (body, reason) = (SQLValue.text(unreadable.body), SQLValue.text(unreadable.reason))
    let insert = "INSERT INTO unreadable (kind, uid, name, id, body, reason)"
    switch unreadable.row {
    case .region(let key):
      try self.database.run(
        """
        \(insert) SELECT ?, names.uid, names.name, regions.id, ?, ? FROM regions JOIN names ON names.key = regions.name
        WHERE regions.key = ?
        """, kind, body, reason, .integer(key))
      try self.database.run("DELETE FROM regions WHERE key = ?", .integer(key))
    case .position(let name):
      try self.database.run(
        "\(insert) SELECT ?, uid, name, NULL, ?, ? FROM names WHERE key = ?", kind, body, reason, .integer(name))
      try self.database.run("DELETE FROM positions WHERE name = ?", .integer(name))
    case .event(let name, let number):
      try self.database.run(
        "\(insert) SELECT ?, uid, name, CAST(? AS TEXT), ?, ? FROM names WHERE key = ?", kind, .integer(number), body,
        reason, .integer(name))
      try self.database.run("DELETE FROM events WHERE name = ? AND id = ?", .integer(name), .integer(number))
      try self.database.run("UPDATE names SET dropped = dropped + 1 WHERE key = ?", .integer(name))
    case .feed(let name):
      try self.database.run(
        "\(insert) SELECT ?, uid, name, NULL, ?, ? FROM names WHERE key = ?", kind, body, reason, .integer(name))
      try self.database.run("UPDATE names SET view = NULL WHERE key = ?", .integer(name))
    case .visitMemory:
      try self.database.run("\(insert) VALUES (?, NULL, NULL, NULL, ?, ?)", kind, body, reason)
      try self.database.run("DELETE FROM visit_memories")
    case .decision(let uid):
      try self.database.run(
        "\(insert) SELECT ?, uid, NULL, user, ?, ? FROM decisions WHERE uid = ?", kind, body, reason, .integer(uid))
      // The unreadable decision may have been a denial, so it is treated as one from now on.
      let denial = Decision(user: nil, level: nil, at: now)
      try self.database.run(
        "UPDATE decisions SET body = ?, clock = ? WHERE uid = ?", .text(denial.body),
        .integer(try self.currentStamp().key), .integer(uid))
      if UInt32(exactly: uid) == nil {
        try self.database.run("DELETE FROM decisions WHERE uid = ?", .integer(uid))
      }
    case .fuzzer:
      try self.database.run("\(insert) VALUES (?, NULL, NULL, NULL, ?, ?)", kind, body, reason)
      try self.database.run("DELETE FROM disguise")
    case .receiver:
      try self.database.run("\(insert) VALUES (?, NULL, NULL, NULL, ?, ?)", kind, body, reason)
      try self.database.run("DELETE FROM receiver_memory")
    }
  }
}

extension StateReader.Unreadable.Row {
  fileprivate var kind: String {
    switch self {
    case .region: "region"
    case .position: "position registration"
    case .event: "event"
    case .feed: "feed of a durable name"
    case .visitMemory: "memory of visits"
    case .decision: "decision"
    case .fuzzer: "offset of reduced positions"
    case .receiver: "memory of the receiver"
    }
  }
}
