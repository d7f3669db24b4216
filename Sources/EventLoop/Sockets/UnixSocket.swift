import CLinux
import Glibc

/// Creates and connects stream sockets in the file system.
package enum UnixSocket {
  /// Connects to a listener; a Unix socket connects at once or fails.
  ///
  /// - Throws: `ENOENT` or `ECONNREFUSED` when nobody listens, `EAGAIN` when the listener's queue is full,
  ///   `ENAMETOOLONG` when no address can hold the path.
  package static func connect(path: String) throws(SystemError) -> FileDescriptor {
    let call = "connect \(path)"
    try requireFit(path, call)
    let socket = try make()
    _ = try SystemError.check(unsafe clinux_unix_connect(socket.rawValue, path), call)
    return socket
  }

  /// Two sockets that are connected to each other.
  package static func pair() throws(SystemError) -> (FileDescriptor, FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check(unsafe socketpair(AF_UNIX, type, 0, &ends), "socketpair")
    return try FileDescriptor.adopt(pair: ends)
  }

  /// Listens at a path. See ``UnixListener`` for what happens to an existing socket.
  ///
  /// - Parameters:
  ///   - mode: The mode of the file, which decides who may connect; it is set before anybody can, whatever the umask.
  ///   - backlog: how many connections may wait to be accepted.
  package static func listen(path: String, mode: UInt32, backlog: Int32) throws(SystemError) -> UnixListener {
    try UnixListener(path: path, mode: mode, backlog: backlog)
  }

  static func make() throws(SystemError) -> FileDescriptor {
    try FileDescriptor(adopting: try SystemError.check(socket(AF_UNIX, type, 0), "socket"))
  }

  /// A clearer error than the system's, which would be "file name too long".
  static func requireFit(_ path: String, _ call: String) throws(SystemError) {
    let limit = Int(clinux_unix_path_limit())
    guard path.utf8.count <= limit else {
      throw SystemError(
        code: ENAMETOOLONG, call: call,
        message: "the path has \(path.utf8.count) bytes, and a Unix socket's address holds \(limit)")
    }
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SystemError(code: EINVAL, call: call, message: "the path is empty or holds a zero byte")
    }
  }

  private static var type: Int32 {
    Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
  }
}

/// A stream socket that accepts connections at a path, or one that systemd passed in.
///
/// An existing socket is taken over only if no process answers there: the daemon before us crashed. One that answers,
/// or a file that is no socket, is left alone and is an error. A file beside it is locked meanwhile, so that of two
/// daemons that start at the same time only one takes over.
package final class UnixListener: StreamListener {
  /// For the loop to watch for reading.
  package let descriptor: FileDescriptor
  /// The path at which it listens; `nil` for a passed socket.
  package let path: String?
  /// The file that we created, so that closing removes only that.
  private var created: FileIdentity?

  init(adopted descriptor: FileDescriptor) {
    self.descriptor = descriptor
    path = nil
    created = nil
  }

  init(path: String, mode: mode_t, backlog: Int32) throws(SystemError) {
    let call = "listen on \(path)"
    try UnixSocket.requireFit(path, call)
    let lock = try SetupLock(for: path, call)
    defer { lock.release() }
    try UnixListener.removeStaleSocket(path, call)

    let socket = try UnixSocket.make()
    // bind creates the file with the socket's mode less the umask, so it is never more open than requested; chmod then
    // restores what the umask removed. Nobody can connect before listen.
    _ = try SystemError.check(fchmod(socket.rawValue, mode), call)
    _ = try SystemError.check(unsafe clinux_unix_bind(socket.rawValue, path), call)
    let identity = FileIdentity(path: path)
    do throws(SystemError) {
      _ = try SystemError.check(unsafe chmod(path, mode), call)
      _ = try SystemError.check(Glibc.listen(socket.rawValue, backlog), call)
    } catch {
      unsafe unlink(path)
      throw error
    }
    descriptor = socket
    self.path = path
    created = identity
  }

  deinit {
    close()
  }

  /// The next connection, or nil when none waits.
  ///
  /// - Throws: For example `EMFILE` if no descriptor is left. The connection still waits and the listener stays ready,
  ///   so the caller should stop watching it for a while.
  package func accept() throws(SystemError) -> FileDescriptor? {
    try descriptor.acceptConnection()
  }

  /// Stops listening, and removes the socket file if it is still the one that we created.
  package func close() {
    guard !descriptor.isClosed else { return }
    descriptor.close()
    if let path, let created, FileIdentity(path: path) == created { unsafe unlink(path) }
    created = nil
  }

  private static func removeStaleSocket(_ path: String, _ call: String) throws(SystemError) {
    guard let found = FileIdentity(path: path) else { return }
    guard found.isSocket else {
      throw SystemError(code: EEXIST, call: call, message: "a file that is no socket is in the way")
    }
    do throws(SystemError) {
      try UnixSocket.connect(path: path).close()
    } catch {
      guard error.code == ECONNREFUSED else {
        throw SystemError(
          code: error.code, call: call, message: "a socket is there and it is unknown who listens: \(error.message)")
      }
      _ = try SystemError.check(unsafe unlink(path), "\(call): remove the stale socket")
      return
    }
    throw SystemError(code: EADDRINUSE, call: call, message: "another process listens there")
  }
}

/// Lets one of several processes set up a socket: a locked file beside the socket that only its owner can open.
///
/// The folder itself cannot be the lock: every user that may read a folder can open it, and lock it for good.
struct SetupLock {
  private let path: String
  private let descriptor: FileDescriptor

  /// - Throws: `EADDRINUSE` while another process of this user holds it; `EPERM` if another user created the file.
  init(for socket: String, _ call: String) throws(SystemError) {
    self.path = "\(socket).lock"
    while true {
      // Links are not followed, and a file of another user is neither opened for writing nor waited for.
      let descriptor = try FileDescriptor(
        adopting: SystemError.check(
          unsafe Glibc.open(self.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600),
          "\(call): open \(self.path)"))
      var status = stat()
      _ = try SystemError.check(unsafe fstat(descriptor.rawValue, &status), "\(call): look at \(self.path)")
      guard status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0 else {
        descriptor.close()
        throw SystemError(
          code: EPERM, call: call, message: "\(self.path) is not this user's alone; remove it, and start again")
      }
      guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
        let error = SystemError.last(call)
        descriptor.close()
        guard error.code == EWOULDBLOCK else { throw error }
        throw SystemError(code: EADDRINUSE, call: call, message: "another process is setting up a socket there")
      }
      // The previous holder removed the file: a lock on a removed file locks nothing.
      if FileIdentity(path: self.path) == FileIdentity(status) {
        self.descriptor = descriptor
        return
      }
      descriptor.close()
    }
  }

  /// Releases the lock and removes the file.
  func release() {
    unsafe unlink(self.path)
    self.descriptor.close()
  }
}
