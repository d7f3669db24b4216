import Broker
import EventLoop
import Positioning

extension StoreTables {
  /// How many unreadable rows are kept for inspection.
  private static let unreadableKept: Int64 = 1000
  /// How many boots are remembered before those without any moments are forgotten.
  private static let clocksKept = 8

  /// The data of users that do not exist any more.
  private struct Disowned {
    var names: [(key: Int64, name: StoredName)] = []
    var decisions: [(uid: UInt32, decision: Decision)] = []

    var isEmpty: Bool { self.names.isEmpty && self.decisions.isEmpty }
  }

  /// The stored state on this boot's clock, without unreadable rows and those of users that do not exist any more. Both
  /// are removed from the tables.
  ///
  /// - Parameters:
  ///   - user: The present name of a user.
  ///   - log: Called with one message for each.
  func load(
    now: Instant, user: (UInt32) -> AccountLookup<String>, log: (LogKind, LogMessage) -> Void
  ) throws(StoreError) -> StoredState {
    let reader = try StateReader(self, now: now)
    var disowned = Disowned()
    var state = reader.state
    var users: [UInt32: AccountLookup<String>] = [:]
    func owner(_ uid: UInt32) -> AccountLookup<String> {
      let owner = users[uid] ?? user(uid)
      users[uid] = owner
      return owner
    }
    for (key, name) in reader.keyedNames {
      if owner(name.id.uid).fits(name.user) {
        state.names.append(name)
      } else {
        disowned.names.append((key, name))
      }
    }
    for (uid, decision) in state.decisions.sorted(by: { $0.key < $1.key })
    where Principal.dynamicUsers.contains(uid) || !owner(uid).fits(decision.user) {
      state.decisions[uid] = nil
      disowned.decisions.append((uid, decision))
    }
    self.clean(disowned, reader.unreadable, now: now, log)
    if reader.clockCount > Self.clocksKept {
      do throws(StoreError) {
        try self.database.run(StoreTable.deletionOfUnusedClocks)
      } catch {
        log(.entriesUnreadable, "earlier boots that no entry needs any more could not be removed: \(error)")
      }
    }
    return state
  }

  private func report(_ disowned: Disowned, _ log: (LogKind, LogMessage) -> Void) {
    let names = disowned.names.map(\.name)
    for (uid, names) in [UInt32: [StoredName]](grouping: names, by: \.id.uid).sorted(by: { $0.key < $1.key }) {
      let owners = Set(names.map { $0.user ?? "a user without a name" }).sorted().joined(separator: ", ")
      log(
        .ownerChanged,
        "user \(uid, .user) is no longer \(owners): removed the durable names that were left, \(names.count) in all")
    }
    for (uid, decision) in disowned.decisions {
      let isLent = Principal.dynamicUsers.contains(uid)
      let reason = isLent ? "is shared by services, one after the other" : "is no longer \(decision.user ?? "its user")"
      log(.ownerChanged, "user \(uid, .user) \(reason): its stored decision is removed")
    }
  }

  private func report(_ unreadable: [StateReader.Unreadable], _ log: (LogKind, LogMessage) -> Void) {
    guard let first = unreadable.first else { return }
    log(
      .entriesUnreadable,
      "stored entries that cannot be read were moved to the table unreadable of \(self.database.path): "
        + "\(unreadable.count); the first: \(first.row.kind), \(first.reason)")
  }

  /// Removes the rows that were not returned from the tables, and logs what was done.
  private func clean(
    _ disowned: Disowned, _ unreadable: [StateReader.Unreadable], now: Instant, _ log: (LogKind, LogMessage) -> Void
  ) {
    guard !disowned.isEmpty || !unreadable.isEmpty else { return }
    do throws(StoreError) {
      try self.clean(disowned, unreadable, now: now)
      self.report(disowned, log)
      self.report(unreadable, log)
    } catch {
      let users = Set(disowned.names.map(\.name.id.uid) + disowned.decisions.map(\.uid)).count
      log(
        .entriesUnreadable,
        "\(unreadable.count) stored entries that cannot be read, and those of \(users) users that are not theirs any more,"
          + " are ignored and could not be removed: \(error)")
    }
  }

  private func clean(
    _ disowned: Disowned, _ unreadable: [StateReader.Unreadable], now: Instant
  ) throws(StoreError) {
    try self.database.transaction { () throws(StoreError) in
      // Everything of a user that does not exist any more is removed, including unreadable rows.
      for (name, _) in disowned.names { try self.database.run("DELETE FROM names WHERE key = ?", .integer(name)) }
      for (uid, _) in disowned.decisions {
        try self.database.run("DELETE FROM decisions WHERE uid = ?", .integer(Int64(uid)))
      }
      for row in unreadable { try self.setAside(row, now: now) }
      try self.database.run(
        "DELETE FROM unreadable WHERE key <= (SELECT max(key) FROM unreadable) - ?", .integer(Self.unreadableKept))
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

extension AccountLookup<String> {
  /// Whether the data of a user with that name belongs to this one.
  fileprivate func fits(_ kept: String?) -> Bool {
    switch self {
    case .found(let name): kept.map { $0.utf8.elementsEqual(name.utf8) } ?? false
    case .absent: kept == nil
    case .unknown: true
    }
  }
}
