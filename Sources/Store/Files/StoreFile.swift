import Broker
import EventLoop
import Glibc
import Positioning

/// The database on the disk: its folder and its file, both inaccessible to other users.
struct StoreFile {
  let path: String
  let log: (LogKind, LogMessage) -> Void
  /// Whether to wait for a moment until another process has closed the database.
  var isPatient = true

  init(path: String, log: @escaping (LogKind, LogMessage) -> Void) {
    self.path = path
    self.log = log
  }

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
    if unsafe mkdir(self.folder, 0o700) == 0 {
      Self.synchronize(String(self.folder.prefix(upTo: self.folder.lastIndex(of: "/") ?? self.folder.startIndex)))
    } else if errno != EEXIST {
      throw SystemError.last("make the folder \(self.folder)")
    }
    let isNew = unsafe access(self.path, F_OK) != 0
    // A link could lead anywhere, and any user with access to the folder could have created it.
    let descriptor = unsafe Glibc.open(self.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError.last("open \(self.path)") }
    close(descriptor)
    if isNew { Self.synchronize(self.folder) }
    self.judge(self.folder, isFolder: true)
    self.judge(self.path, isFolder: false)
  }

  /// Renames the database with all its files; returns the new name.
  func setAside(at time: String) throws(SystemError) -> String {
    var aside = "\(self.path).set-aside-\(time)"
    var count = 1
    while unsafe access(aside, F_OK) == 0 {
      count += 1
      aside = "\(self.path).set-aside-\(time).\(count)"
    }
    for suffix in Self.suffixes where unsafe access(self.path + suffix, F_OK) == 0 {
      guard unsafe rename(self.path + suffix, aside + suffix) == 0 else {
        throw SystemError.last("rename \(self.path + suffix)")
      }
    }
    Self.synchronize(self.folder)
    return aside
  }

  /// Logs if it belongs to another user, or if others can access it.
  private func judge(_ path: String, isFolder: Bool) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    if status.st_uid != geteuid() {
      self.log(
        .databaseExposed,
        "\(path, .file) belongs to user \(status.st_uid), not to user \(geteuid()), who runs positiond")
    }
    guard status.st_mode & 0o077 != 0 else { return }
    let (now, better) = (String(status.st_mode & 0o777, radix: 8), isFolder ? "700" : "600")
    self.log(
      .databaseExposed,
      "\(path, .file) is accessible to other users (0\(now)) and holds positions: chmod \(better) \(path)")
  }

  /// Makes the names in a folder durable, like the contents of the files. If that fails, there is no alternative.
  static func synchronize(_ folder: String) {
    let descriptor = unsafe Glibc.open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
