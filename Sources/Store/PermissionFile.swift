import Broker
import EventLoop
import Glibc
import JSONRPC
import Positioning

/// A copy of the permission decisions beside the database. It can be read if the database cannot, on a read-only file
/// system, or after the database was set aside. Without it denials would be forgotten.
struct PermissionFile {
  /// The result of reading it.
  enum Content {
    case record(PermissionRecord)
    /// Its folder exists, but the file does not.
    case absent
    /// The reason why it cannot be read.
    case unreadable(String)
  }

  /// More than the decisions for all users of a machine need.
  private static let mostBytes = 64 << 20

  let path: String
  private let disk: any Disk

  init(beside database: String, on disk: any Disk = SystemDisk()) {
    self.path = "\(database).permission"
    self.disk = disk
  }

  func read() -> Content {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try self.disk.read(self.path, limit: Self.mostBytes)
    } catch {
      let hasFolder = self.disk.exists(StoreFile.folder(of: self.path))
      return error.code == ENOENT && hasFolder ? .absent : .unreadable("\(error)")
    }
    do throws(UnreadableRecord) {
      let record = try PermissionRecord(body: String(decoding: bytes, as: UTF8.self))
      return record.version == 1 ? .record(record) : .unreadable("\(self.path): written by a later positiond")
    } catch {
      return .unreadable("\(self.path): \(error.description)")
    }
  }

  /// Replaces the file by the record, atomically and durably.
  func write(_ record: PermissionRecord) throws(StoreError) {
    do throws(SystemError) {
      try self.disk.replace(self.path, with: Array(record.body.utf8), mode: 0o600, isDurable: true)
    } catch {
      throw StoreError(error)
    }
    self.disk.synchronize(StoreFile.folder(of: self.path))
  }

  /// Adds decisions that the database does not take now. The next start takes them from here, so that it does not undo
  /// what is in force.
  ///
  /// Without a readable file there is nothing to add to: one with these alone would pass for all there is.
  func add(_ changes: [StoreChange], clock: BootClock) throws(StoreError) {
    guard changes.contains(where: \.isDecision), case .record(let before) = self.read() else { return }
    var record = before
    for change in changes { record.add(change, clock: clock) }
    if record != before { try self.write(record) }
  }
}

extension PermissionRecord {
  fileprivate mutating func add(_ change: StoreChange, clock: BootClock) {
    if case .putEnabled(let isOn, let unread) = change {
      (self.isOn, self.unread) = (isOn, unread)
      self.ahead = self.ahead ?? Ahead()
      self.ahead?.hasSwitch = true
    } else if case .putDecision(let uid, let decision) = change {
      let body = Body(text: decision.body, boot: clock.boot ?? "", epoch: clock.epoch().wholeNanoseconds)
      self.replace(DecisionRow(uid: uid, user: decision.user ?? "", body: body), of: uid)
    } else if case .removeDecision(let uid) = change {
      self.replace(nil, of: uid)
    }
  }

  private mutating func replace(_ row: DecisionRow?, of uid: UInt32) {
    var ahead = self.ahead ?? Ahead()
    defer { self.ahead = ahead }
    let isAhead = ahead.users.contains(uid)
    if !isAhead { ahead.users.append(uid) }
    let before = self.decisions.first { $0.uid == uid }
    // The clock moves between two attempts to store the same decision.
    if isAhead, before?.user == row?.user, before?.body.text == row?.body.text { return }
    self.decisions.removeAll { $0.uid == uid }
    if let row { self.decisions.append(row) }
    self.decisions.sort { $0.uid < $1.uid }
  }
}

// MARK: Record

/// The contents of the permission file: the rows of the database, each with the clock of its boot.
struct PermissionRecord: Record, Hashable {
  struct Body: Record, Hashable {
    var text: String
    var boot: String
    /// The time of the boot by the wall clock, ns since 1970.
    var epoch: Int64

    static let record = ObjectCodec<Body>(blank: Body(text: "", boot: "", epoch: 0)) {
      Field.required("boot", \.boot, .string)
      Field.required("epoch", \.epoch, .integer(minimum: nil))
      Field.required("text", \.text, .string)
    }
  }

  struct DecisionRow: Record, Hashable {
    var uid: UInt32
    var user: String
    var body: Body

    static let record = ObjectCodec<DecisionRow>(blank: DecisionRow(uid: 0, user: "", body: Body.record.blank)) {
      Field.required("body", \.body, Body.record.codec)
      Field.required("uid", \.uid, .integer())
      Field.required("user", \.user, .string)
    }
  }

  /// What was decided while the database took nothing, so that its rows say something else.
  struct Ahead: Record, Hashable {
    var hasSwitch = false
    /// The users whose decisions are in the file, or are removed.
    var users: [UInt32] = []

    static let record = ObjectCodec<Ahead>(blank: Ahead()) {
      Field.flag("switch", \.hasSwitch)
      Field.required("users", \.users, .array(of: .integer()))
    }
  }

  var version = 1
  var isOn = true
  /// Why the earlier decisions cannot be read, for people.
  var unread: String?
  var decisions: [DecisionRow] = []
  var fuzzer: Body?
  var ahead: Ahead?

  static let record = ObjectCodec<PermissionRecord>(blank: PermissionRecord()) {
    Field.optional("ahead", \.ahead, Ahead.record.codec)
    Field.required("decisions", \.decisions, .array(of: DecisionRow.record.codec))
    Field.optional("disguise", \.fuzzer, Body.record.codec)
    Field.required("isOn", \.isOn, .boolean)
    Field.optional("unread", \.unread, .string)
    Field.required("version", \.version, .integer)
  }
}

// MARK: File and tables

/// The permission decisions are in the tables and in a file beside them. The tables have precedence if they can be
/// read.
extension StoreTables {
  /// The contents for the file.
  func permissionRecord() throws(StoreError) -> PermissionRecord {
    var record = PermissionRecord()
    (record.isOn, record.unread) = try MasterSwitch.state(in: self.database)
    let clocks = "JOIN clocks ON clocks.key = clock"
    try self.database.rows("SELECT body, boot, epoch, uid, user FROM decisions \(clocks) ORDER BY uid") { row in
      guard let uid = row.integer(3).flatMap({ UInt32(exactly: $0) }), let user = row.text(4),
        let body = PermissionRecord.Body(row)
      else { return }
      record.decisions.append(PermissionRecord.DecisionRow(uid: uid, user: user, body: body))
    }
    try self.database.rows("SELECT body, boot, epoch FROM \(LocationFuzzer.Snapshot.table) \(clocks)") { row in
      record.fuzzer = PermissionRecord.Body(row)
    }
    return record
  }

  /// Whether any decision was ever made, or might have been.
  func knowsPermission() throws(StoreError) -> Bool {
    let tables = [Decision.table, MasterSwitch.table, LocationFuzzer.Snapshot.table]
    let rows = tables.map { "SELECT 1 FROM \($0)" }.joined(separator: " UNION ")
    return try self.database.integer("SELECT count(*) FROM (\(rows))") ?? 0 > 0
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

  /// The value; `nil` if it cannot be read.
  fileprivate func value<Value: Record>(on clock: BootClock, now: Instant) -> Value? {
    let stored = StoredClock(boot: self.boot, epoch: .nanoseconds(self.epoch))
    do throws(UnreadableRecord) {
      return try Value(body: self.text, clock: ClockMapping(of: stored, on: clock, now: now))
    } catch {
      return nil
    }
  }
}

extension PermissionRecord {
  /// An unreadable decision counts as a denial.
  fileprivate func decisions(on clock: BootClock, now: Instant) -> [UInt32: Decision] {
    var decisions: [UInt32: Decision] = [:]
    for row in self.decisions {
      var decision = row.body.value(on: clock, now: now) ?? Decision(user: nil, level: nil, at: now)
      decision.user = row.user
      decisions[row.uid] = decision
    }
    return decisions
  }

  fileprivate func snapshot(on clock: BootClock, now: Instant) -> LocationFuzzer.Snapshot? {
    self.fuzzer?.value(on: clock, now: now)
  }
}
