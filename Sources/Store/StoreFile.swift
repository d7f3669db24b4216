import Broker
import EventLoop
import Glibc
import Positioning

/// The database on the disk: its folder and its file, both inaccessible to other users.
struct StoreFile {
  let path: String
  let disk: any Disk
  let log: (LogKind, LogMessage) -> Void
  /// Whether to wait for a moment until another process has closed the database.
  var waitsForLock = true

  init(path: String, on disk: any Disk = SystemDisk(), log: @escaping (LogKind, LogMessage) -> Void) {
    self.path = path
    self.disk = disk
    self.log = log
  }

  /// How long to wait for the previous daemon to close the database, in milliseconds.
  private static let lockTimeout: Int32 = 2000
  /// SQLite keeps further files beside the database.
  private static let suffixes = ["", "-wal", "-shm"]

  private var folder: String { Self.folder(of: self.path) }

  static func folder(of path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  /// Creates what is missing, and logs what other users could access.
  ///
  /// SQLite would create the file with the process's usual permissions, and the further files get theirs from it.
  func prepare() throws(SystemError) {
    do throws(SystemError) {
      try self.disk.makeFolder(self.folder)
      self.disk.synchronize(Self.folder(of: self.folder))
    } catch {
      guard error.code == EEXIST else { throw error }
    }
    let isNew = !self.disk.exists(self.path)
    // A link could lead anywhere, and any user with access to the folder could have created it.
    try self.disk.create(self.path)
    if isNew { self.disk.synchronize(self.folder) }
    self.judge(self.folder, isFolder: true)
    self.judge(self.path, isFolder: false)
  }

  /// The database with this version's schema; a new one if there was none.
  func open(_ schema: Schema) throws(StoreError) -> Database {
    do throws(SystemError) { try self.prepare() } catch { throw StoreError(error) }
    let database = try Database(
      path: self.path, in: self.disk.databases, lockTimeout: self.waitsForLock ? Self.lockTimeout : 0)
    try schema.configure(database)
    try schema.migrate(database)
    return database
  }

  /// Renames the database with all its files, because it cannot be used. It is not open any more.
  ///
  /// - Parameter time: For the new name.
  func setAside(because reason: StoreError, time: Timestamp) throws(StoreError) {
    // Such as 20260131T120000Z.
    let second = "\(time)".prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    var aside = "\(self.path).set-aside-\(second)"
    var count = 1
    while self.disk.exists(aside) {
      count += 1
      aside = "\(self.path).set-aside-\(second).\(count)"
    }
    do throws(SystemError) {
      for suffix in Self.suffixes where self.disk.exists(self.path + suffix) {
        try self.disk.rename(self.path + suffix, to: aside + suffix)
      }
    } catch {
      throw StoreError(error)
    }
    self.disk.synchronize(self.folder)
    self.log(.databaseSetAside, "\(reason); moved it to \(aside, .file); all durable registrations are lost")
  }

  /// Logs if it belongs to another user, or if others can access it.
  private func judge(_ path: String, isFolder: Bool) {
    guard case .success(let status) = self.disk.status(of: path) else { return }
    let user = self.disk.user
    if status.owner != user {
      self.log(
        .databaseExposed,
        "\(path, .file) belongs to user \(status.owner), not to user \(user), who runs positiond")
    }
    guard status.mode & 0o077 != 0 else { return }
    let (now, better) = (String(status.mode & 0o777, radix: 8), isFolder ? "700" : "600")
    self.log(
      .databaseExposed,
      "\(path, .file) is accessible to other users (0\(now)) and holds positions: chmod \(better) \(path)")
  }
}
