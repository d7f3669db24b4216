import CSQLite
import CWorldSupport
package import EventLoop
import Glibc
import Synchronization

/// A disk in memory for a program and its databases, with what it has kept for a loss of power apart from what programs
/// see. SQLite is the real one, and its VFS of this disk's name is in `CWorldSupport`.
///
/// `@unchecked Sendable`: it belongs to its machine's thread.
@safe package final class MemoryDisk: Disk, @unchecked Sendable {
  /// How a change of the disk fails.
  package enum Fault: Sendable {
    /// There is no room.
    case full
    /// An error of the device.
    case broken
    /// Another process has the database locked.
    case busy
  }

  private let disk: OpaquePointer
  private let name: String
  private var folders: Set<String> = ["/"]
  private var written: Set<String> = []

  /// How many disks this process has made: SQLite knows each by a name of its own.
  private static let made = Atomic<Int>(0)

  package init(name: String, seed: UInt64) {
    let name = "\(name)-\(Self.made.wrappingAdd(1, ordering: .relaxed).newValue)"
    guard let disk = unsafe cworld_disk_new(name, seed) else { preconditionFailure("out of memory") }
    unsafe self.disk = unsafe disk
    self.name = name
  }

  deinit { unsafe cworld_disk_free(self.disk) }

  // MARK: For the world

  /// After so many further changes, so many fail.
  package func fail(_ fault: Fault, after: Int = 0, count: Int = .max) {
    let code =
      switch fault {
      case .full: SQLITE_FULL
      case .broken: SQLITE_IOERR
      case .busy: SQLITE_BUSY
      }
    unsafe cworld_disk_fail(self.disk, code, UInt(after), UInt(count))
  }

  /// It works again.
  package func mend() { unsafe cworld_disk_fail(self.disk, SQLITE_OK, 0, 0) }

  /// Whether a synchronisation keeps nothing, and says that all went well.
  package func lies(_ isLying: Bool) { unsafe cworld_disk_lie(self.disk, isLying ? 1 : 0) }

  /// The process that uses it is killed, and its locks are gone.
  package func endProcess() { unsafe cworld_disk_end_process(self.disk) }

  /// The power fails and comes back: what was not synchronised is kept or not, sector by sector. What was open cannot be
  /// used any more.
  package func cutPower(seed: UInt64) { unsafe cworld_disk_cut_power(self.disk, seed) }

  /// Makes a database by statements of SQL. A process may open it afterwards.
  package func makeDatabase(_ path: String, by script: String) throws(SystemError) {
    try self.create(path)
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, self.name)
    defer { unsafe sqlite3_close_v2(opened) }
    guard code == SQLITE_OK, unsafe sqlite3_exec(opened, script, nil, nil, nil) == SQLITE_OK else {
      throw SystemError(code: EIO, call: "make the database \(path)")
    }
  }

  /// How many changes there have been.
  package var changes: Int { Int(unsafe cworld_disk_changes(self.disk)) }

  // MARK: For a program

  package var databases: String? { self.name }

  package var user: UInt32 { 0 }

  package func status(of path: String) -> Result<FileStatus, SystemError> {
    if self.folders.contains(path) { return .success(FileStatus(owner: self.user, mode: 0o700)) }
    guard unsafe cworld_file_size(self.disk, path) >= 0 else {
      return .failure(SystemError(code: ENOENT, call: "look at \(path)"))
    }
    return .success(FileStatus(owner: self.user, mode: 0o600))
  }

  package func makeFolder(_ path: String) throws(SystemError) {
    guard self.folders.insert(path).inserted else { throw SystemError(code: EEXIST, call: "make the folder \(path)") }
  }

  package func create(_ path: String) throws(SystemError) {
    try self.check(unsafe cworld_file_create(self.disk, path), "open \(path)")
  }

  package func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let size = unsafe cworld_file_size(self.disk, path)
    guard size >= 0 else { throw SystemError(code: ENOENT, call: "open \(path)") }
    var bytes = [UInt8](repeating: 0, count: size)
    unsafe cworld_file_read(self.disk, path, &bytes, size)
    return bytes
  }

  /// The names of files that were written by ``write(_:to:mode:isDurable:)``.
  package func names(in folder: String, limit: Int) throws(SystemError) -> [String] {
    guard self.folders.contains(folder) else { throw SystemError(code: ENOENT, call: "read the folder \(folder)") }
    let names = self.written.compactMap { path -> String? in
      guard path.hasPrefix("\(folder)/"), unsafe cworld_file_size(self.disk, path) >= 0 else { return nil }
      let name = path.dropFirst(folder.utf8.count + 1)
      return name.contains("/") ? nil : String(name)
    }
    return Array(names.sorted().prefix(limit))
  }

  package func write(_ bytes: [UInt8], to path: String, mode: UInt32, isDurable: Bool) throws(SystemError) {
    try self.check(
      unsafe cworld_file_write(self.disk, path, bytes, bytes.count, isDurable ? 1 : 0), "write \(path)")
    self.written.insert(path)
  }

  package func rename(_ path: String, to new: String) throws(SystemError) {
    guard unsafe cworld_file_rename(self.disk, path, new) != 0 else {
      throw SystemError(code: ENOENT, call: "rename \(path)")
    }
  }

  package func remove(_ path: String) { unsafe cworld_file_remove(self.disk, path) }

  /// Names are durable at once here.
  package func synchronize(_ folder: String) {}

  private func check(_ result: Int32, _ call: String) throws(SystemError) {
    guard result != SQLITE_OK else { return }
    throw SystemError(code: result == SQLITE_FULL ? ENOSPC : EIO, call: call)
  }
}
