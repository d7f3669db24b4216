import Glibc

/// Where a program's files are: the few that it reads and writes itself, and by name those of SQLite. `SystemDisk` is this
/// machine's.
///
/// No link is followed where a file is opened, and every call waits for the disk.
package protocol Disk: Sendable {
  /// The name under which SQLite knows where the databases are; `nil`: where it has them by default.
  var databases: String? { get }
  /// The number of the user who makes files here.
  var user: UInt32 { get }

  /// What is at the path.
  func status(of path: String) -> Result<FileStatus, SystemError>
  /// Makes a folder that is closed to other users. Throws `EEXIST` if there is something.
  func makeFolder(_ path: String) throws(SystemError)
  /// Makes an empty file that is closed to other users, or does nothing to the one that is there.
  func create(_ path: String) throws(SystemError)
  /// All bytes of a file, or more than the limit of them if there are more.
  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8]
  /// The names in a folder, without those that begin with a point, in order, and at most so many.
  func names(in folder: String, limit: Int) throws(SystemError) -> [String]
  /// Makes a file in place of one that is there.
  ///
  /// - Parameters:
  ///   - mode: Its permission bits.
  ///   - isDurable: Whether the bytes must outlive a loss of power. The name does after `synchronize`.
  func write(_ bytes: [UInt8], to path: String, mode: UInt32, isDurable: Bool) throws(SystemError)
  /// Gives a file another name, in place of the file that has it.
  func rename(_ path: String, to new: String) throws(SystemError)
  /// Removes a file, if it is there.
  func remove(_ path: String)
  /// Makes the names in a folder durable. If that fails, there is no alternative.
  func synchronize(_ folder: String)
}

/// The owner of a file, and who may use it.
package struct FileStatus: Hashable, Sendable {
  package var owner: UInt32
  /// The permission bits.
  package var mode: UInt32

  package init(owner: UInt32, mode: UInt32) {
    self.owner = owner
    self.mode = mode
  }
}

extension Disk {
  package func exists(_ path: String) -> Bool {
    switch self.status(of: path) {
    case .success: true
    case .failure: false
    }
  }

  /// Whether it is known that nothing is there.
  package func isAbsent(_ path: String) -> Bool {
    switch self.status(of: path) {
    case .success: false
    case .failure(let error): error.code == ENOENT
    }
  }

  /// Replaces a file: whoever reads it gets all of the old one or all of the new one.
  package func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32, isDurable: Bool = false
  ) throws(SystemError) {
    let new = "\(path).new"
    try self.write(bytes, to: new, mode: mode, isDurable: isDurable)
    try self.rename(new, to: path)
  }
}

/// The disk of this machine.
package struct SystemDisk: Disk {
  package init() {}

  package var databases: String? { nil }

  package var user: UInt32 { geteuid() }

  package func status(of path: String) -> Result<FileStatus, SystemError> {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .failure(.last("look at \(path)")) }
    return .success(FileStatus(owner: status.st_uid, mode: status.st_mode & 0o7777))
  }

  package func makeFolder(_ path: String) throws(SystemError) {
    guard unsafe mkdir(path, 0o700) == 0 else { throw SystemError.last("make the folder \(path)") }
  }

  package func create(_ path: String) throws(SystemError) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError.last("open \(path)") }
    close(descriptor)
  }

  package func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError.last("open \(path)") }
    let file = try FileDescriptor(adopting: descriptor)
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while case .bytes = try file.read(into: &bytes, upTo: 1 << 16), bytes.count <= limit {}
    } catch {
      throw SystemError(code: error.code, call: "\(path): \(error.call)", message: error.message)
    }
    return bytes
  }

  package func names(in folder: String, limit: Int) throws(SystemError) -> [String] {
    guard let stream = unsafe opendir(folder) else { throw SystemError.last("read the folder \(folder)") }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
    }
    return Array(names.sorted().prefix(limit))
  }

  package func write(_ bytes: [UInt8], to path: String, mode: UInt32, isDurable: Bool) throws(SystemError) {
    unsafe unlink(path)
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError.last("open \(path)") }
    let file = try FileDescriptor(adopting: descriptor)
    var rest = bytes[...]
    while !rest.isEmpty {
      guard case .wrote(let count) = try file.write(rest) else { throw SystemError(code: EIO, call: "write \(path)") }
      rest = rest.dropFirst(count)
    }
    // Independent of the umask.
    guard fchmod(descriptor, mode) == 0 else { throw SystemError.last("chmod \(path)") }
    guard !isDurable || fsync(descriptor) == 0 else { throw SystemError.last("write \(path)") }
  }

  package func rename(_ path: String, to new: String) throws(SystemError) {
    guard unsafe Glibc.rename(path, new) == 0 else { throw SystemError.last("rename \(path)") }
  }

  package func remove(_ path: String) { unsafe unlink(path) }

  package func synchronize(_ folder: String) {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
