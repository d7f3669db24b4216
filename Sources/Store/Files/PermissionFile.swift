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
