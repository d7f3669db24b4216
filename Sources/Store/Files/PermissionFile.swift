import Broker
import EventLoop
import Glibc
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

  init(beside database: String) { self.path = "\(database).permission" }

  func read() -> Content {
    let descriptor = unsafe open(self.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let error = SystemError.last("open \(self.path)")
      return error.code == ENOENT && self.hasFolder ? .absent : .unreadable("\(error)")
    }
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let file = try FileDescriptor(adopting: descriptor)
      while case .bytes = try file.read(into: &bytes, upTo: 1 << 16), bytes.count <= Self.mostBytes {}
    } catch {
      return .unreadable("\(self.path): \(error)")
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
    let new = "\(self.path).new"
    do throws(SystemError) {
      unsafe unlink(new)
      let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw SystemError.last("open \(new)") }
      let file = try FileDescriptor(adopting: descriptor)
      var bytes = Array(record.body.utf8)[...]
      while !bytes.isEmpty {
        guard case .wrote(let count) = try file.write(bytes) else { throw SystemError(code: EIO, call: "write \(new)") }
        bytes = bytes.dropFirst(count)
      }
      guard fsync(descriptor) == 0 else { throw SystemError.last("write \(new)") }
      guard unsafe rename(new, self.path) == 0 else { throw SystemError.last("rename \(new)") }
    } catch {
      throw StoreError(error)
    }
    StoreFile.synchronize(StoreFile.folder(of: self.path))
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

  private var hasFolder: Bool {
    var status = stat()
    return unsafe stat(StoreFile.folder(of: self.path), &status) == 0
  }
}

extension PermissionRecord {
  fileprivate mutating func add(_ change: StoreChange, clock: BootClock) {
    switch change {
    case .putEnabled(let isOn, let unread):
      (self.isOn, self.unread) = (isOn, unread)
      self.ahead = self.ahead ?? Ahead()
      self.ahead?.hasSwitch = true
    case .putDecision(let uid, let decision):
      let body = Body(text: decision.body, boot: clock.boot ?? "", epoch: clock.epoch().wholeNanoseconds)
      self.replace(DecisionRow(uid: uid, user: decision.user ?? "", body: body), of: uid)
    case .removeDecision(let uid): self.replace(nil, of: uid)
    case .putName, .removeName, .replaceName, .putRegion, .removeRegion, .setRegionSnapshot, .resetRegions,
      .putPosition, .removePosition, .putVisits, .putEvent, .acknowledge, .overflow, .putVisitMemory, .setFeed,
      .putFuzzer, .putWakeStart, .removeWakeStart, .putStoppedReceiver, .putReceiver:
      break
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
