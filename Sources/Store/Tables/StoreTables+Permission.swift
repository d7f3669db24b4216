import Broker
import EventLoop
import Positioning

/// The permission decisions are in the tables and in a file beside them. The tables have precedence if they can be
/// read.
extension StoreTables {
  /// The contents for the file.
  func permissionRecord() throws(StoreError) -> PermissionRecord {
    var record = PermissionRecord()
    try self.database.rows("SELECT is_on, unread FROM master_switch") { row in
      (record.isOn, record.unread) = (row.integer(0) == 1, row.text(1))
    }
    let clocks = "JOIN clocks ON clocks.key = clock"
    try self.database.rows("SELECT body, boot, epoch, uid, user FROM decisions \(clocks) ORDER BY uid") { row in
      guard let uid = row.integer(3).flatMap({ UInt32(exactly: $0) }), let user = row.text(4),
        let body = PermissionRecord.Body(row)
      else { return }
      record.decisions.append(PermissionRecord.DecisionRow(uid: uid, user: user, body: body))
    }
    try self.database.rows("SELECT body, boot, epoch FROM disguise \(clocks)") { row in
      record.fuzzer = PermissionRecord.Body(row)
    }
    return record
  }

  /// Whether any decision was ever made, or might have been.
  func knowsPermission() throws(StoreError) -> Bool {
    for table in StoreTable.allCases where table.isOfPermission {
      if try self.database.integer("SELECT count(*) FROM \(table.rawValue)") ?? 0 > 0 { return true }
    }
    return false
  }

  /// Reconciles tables and file at the start: the file may have what the tables lost.
  ///
  /// - Parameters:
  ///   - isEmpty: Whether the tables were empty before rows were removed.
  ///   - lost: Why the tables are new, if old ones were set aside; else `nil`.
  func reconcile(
    _ stored: StoredState, _ file: PermissionFile, isEmpty: Bool, lost: StoreError?, now: Instant,
    log: (LogKind, LogMessage) -> Void
  ) throws(StoreError) -> StoredState {
    let content = file.read()
    var state = stored
    if isEmpty {
      state.take(content, lost: lost.map { "\($0)" }, clock: self.clock, now: now)
    } else if state.fuzzer == nil, case .record(let record) = content {
      // The existing one is better than a new one, which would reveal more.
      state.fuzzer = record.snapshot(on: self.clock, now: now)
    }
    var changes: [StoreChange] = []
    if !isEmpty, case .record(let record) = content, record.ahead != nil {
      changes += state.takeAhead(record, clock: self.clock, now: now)
      log(.storeRecovered, "what was decided while nothing could be stored is taken from \(file.path, .file)")
    }
    if let unread = state.unread { log(.decisionsUnread, "\(StoredState.closedWords(unread))") }
    if isEmpty {
      changes += state.decisions.sorted { $0.key < $1.key }.map { .putDecision($0.key, $0.value) }
      if !state.isEnabled { changes.append(.putEnabled(false, unread: state.unread)) }
    }
    if stored.fuzzer == nil, let fuzzer = state.fuzzer { changes.append(.putFuzzer(fuzzer)) }
    if !changes.isEmpty { try self.commit(changes) }
    self.permissionFile = file
    let record = try self.permissionRecord()
    if case .record(record) = content { return state }
    try file.write(record)
    return state
  }
}

extension StoreChange {
  /// Whether the file beside the database has it too.
  var isOfPermission: Bool {
    if case .putFuzzer = self { return true }
    return self.isDecision
  }

  /// Whether somebody decided it.
  var isDecision: Bool {
    if case .putDecision = self { return true }
    if case .removeDecision = self { return true }
    if case .putEnabled = self { return true }
    return false
  }
}

extension StoredState {
  /// The log message for an administrator when the decisions cannot be read.
  package static func closedWords(_ reason: String) -> String {
    "permission decisions cannot be read (\(reason)), so positions are off for everybody and reduced positions get a new "
      + "random offset: deny again the users who were denied, then run positionctl auth enable"
  }

  /// What was decided while the database took nothing. Returns the changes for the database.
  mutating func takeAhead(_ record: PermissionRecord, clock: BootClock, now: Instant) -> [StoreChange] {
    guard let ahead = record.ahead else { return [] }
    var changes: [StoreChange] = []
    if ahead.hasSwitch {
      (self.isEnabled, self.unread) = (record.isOn, record.unread)
      changes.append(.putEnabled(record.isOn, unread: record.unread))
    }
    let decisions = record.decisions(on: clock, now: now)
    for uid in ahead.users {
      self.decisions[uid] = decisions[uid]
      changes.append(decisions[uid].map { .putDecision(uid, $0) } ?? .removeDecision(uid))
    }
    return changes
  }

  /// The decisions in the file, or the reason why they cannot be read.
  ///
  /// - Parameter lost: Why the tables cannot be read; `nil`: there never were any.
  mutating func take(_ content: PermissionFile.Content, lost: String?, clock: BootClock, now: Instant) {
    switch content {
    case .record(let record):
      self.isEnabled = record.isOn
      self.unread = record.unread
      self.decisions = record.decisions(on: clock, now: now)
      self.fuzzer = record.snapshot(on: clock, now: now)
    case .absent: self.unread = lost
    case .unreadable(let reason): self.unread = lost.map { $0.hasSuffix(reason) ? $0 : "\($0); \(reason)" } ?? reason
    }
    if self.unread != nil { self.isEnabled = false }
  }
}

extension PermissionRecord.Body {
  /// From the columns body, boot and epoch, in this order.
  fileprivate init?(_ row: SQLRow) {
    guard let text = row.text(0), let boot = row.text(1), let epoch = row.integer(2) else { return nil }
    self.init(text: text, boot: boot, epoch: epoch)
  }

  fileprivate func mapping(on clock: BootClock, now: Instant) -> ClockMapping {
    ClockMapping(of: StoredClock(boot: self.boot, epoch: .nanoseconds(self.epoch)), on: clock, now: now)
  }
}

extension PermissionRecord {
  /// An unreadable decision counts as a denial.
  fileprivate func decisions(on clock: BootClock, now: Instant) -> [UInt32: Decision] {
    var decisions: [UInt32: Decision] = [:]
    for row in self.decisions {
      do throws(UnreadableRecord) {
        let mapping = row.body.mapping(on: clock, now: now)
        decisions[row.uid] = try Decision(body: row.body.text, user: row.user, clock: mapping)
      } catch {
        decisions[row.uid] = Decision(user: row.user, level: nil, at: now)
      }
    }
    return decisions
  }

  fileprivate func snapshot(on clock: BootClock, now: Instant) -> LocationFuzzer.Snapshot? {
    guard let fuzzer else { return nil }
    do throws(UnreadableRecord) {
      return try LocationFuzzer.Snapshot(body: fuzzer.text, clock: fuzzer.mapping(on: clock, now: now))
    } catch {
      return nil
    }
  }
}
