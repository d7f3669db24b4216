import Broker
import EventLoop
import Positioning

/// Reads the stored state, and collects unreadable rows.
struct StateReader {
  let database: Database
  let now: Instant
  /// The boots that moments count from, by their rows' keys.
  var clocks: [Int64: ClockMapping] = [:]
  /// The readable names, by their rows' keys.
  var names: [Int64: StoredName] = [:]
  /// What was read, but for the names.
  var state = StoredState()
  private(set) var unreadable: [UnreadableRow] = []
  /// This boot's clock.
  let clock: BootClock

  init(_ tables: StoreTables, now: Instant) throws(StoreError) {
    (self.database, self.clock, self.now) = (tables.database, tables.clock, now)
    for stored in Registry.all { try stored.read(&self) }
    self.state.names = self.names.values.sorted { $0.id < $1.id }
  }

  /// The value of a row whose first columns are its number, its body and its clock. A row that cannot be read is set
  /// aside.
  ///
  /// - Parameter complete: Adds what is in other columns.
  mutating func value<Value: StoredValue & Record>(
    _ row: SQLRow, of owner: RowOwner = RowOwner(),
    complete: (inout Value, ClockMapping) throws(UnreadableRecord) -> Void = { _, _ in }
  ) -> Value? {
    let body = row.text(1) ?? ""
    do throws(UnreadableRecord) {
      guard let clock = row.integer(2).flatMap({ self.clocks[$0] }) else {
        throw UnreadableRecord("moments of no known boot")
      }
      var value = try Value(body: body, clock: clock)
      try complete(&value, clock)
      return value
    } catch {
      self.setAside(row.integer(0) ?? 0, as: Value.self, of: owner, body: body, reason: error.description)
      return nil
    }
  }

  mutating func setAside(
    _ row: Int64, as stored: any StoredValue.Type, of owner: RowOwner, body: String, reason: String
  ) {
    self.unreadable.append(UnreadableRow(stored: stored, row: row, owner: owner, body: body, reason: reason))
  }

  /// - Parameter id: Says which of the name's rows it is.
  func owner(_ name: Int64, id: String? = nil) -> RowOwner {
    let owner = self.names[name]?.id
    return RowOwner(uid: owner.map { Int64($0.uid) }, name: owner?.name, id: id)
  }
}

extension StoreTables {
  /// How many boots are remembered before those without any moments are forgotten.
  private static let clocksKept = 8

  /// The stored state on this boot's clock, without unreadable rows, and without decisions about users that are shared by
  /// services. Both are removed from the tables. Whose the rest is the daemon finds out later.
  ///
  /// - Parameter log: Called with one message for each.
  func load(now: Instant, log: (LogKind, LogMessage) -> Void) throws(StoreError) -> StoredState {
    let reader = try StateReader(self, now: now)
    var state = reader.state
    let shared = state.decisions.keys.filter { Principal.dynamicUsers.contains($0) }.sorted()
    for uid in shared { state.decisions[uid] = nil }
    self.clean(shared, reader.unreadable, now: now, log)
    if reader.clocks.count > Self.clocksKept {
      do throws(StoreError) {
        try StoredClock.deleteUnused(in: self.database)
      } catch {
        log(.entriesUnreadable, "earlier boots that no entry needs any more could not be removed: \(error)")
      }
    }
    return state
  }

  /// Removes the rows that were not returned from the tables, and logs what was done.
  ///
  /// - Parameter shared: The users whose decisions were not returned.
  private func clean(
    _ shared: [UInt32], _ unreadable: [UnreadableRow], now: Instant, _ log: (LogKind, LogMessage) -> Void
  ) {
    guard !shared.isEmpty || !unreadable.isEmpty else { return }
    do throws(StoreError) {
      try self.database.transaction { () throws(StoreError) in
        for uid in shared { try Decision.delete(about: Int64(uid), in: self.database) }
        for row in unreadable {
          try row.copy(in: self.database)
          try row.stored.discard(row: row.row, from: self, now: now)
        }
        try UnreadableRow.deleteOldest(in: self.database)
      }
      for uid in shared {
        log(
          .ownerChanged,
          "user \(uid, .user) is shared by services, one after the other: its stored decision is removed")
      }
      guard let first = unreadable.first else { return }
      log(
        .entriesUnreadable,
        "stored entries that cannot be read were moved to the table unreadable of \(self.database.path): "
          + "\(unreadable.count); the first: \(first.stored.kind), \(first.reason)")
    } catch {
      log(
        .entriesUnreadable,
        "\(unreadable.count) stored entries that cannot be read, and those of \(shared.count) users that are not theirs any"
          + " more, are ignored and could not be removed: \(error)")
    }
  }
}
