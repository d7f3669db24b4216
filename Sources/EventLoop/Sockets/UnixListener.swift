import CLinux
import Glibc

/// A stream socket that accepts connections at a path, or one that systemd passed in.
///
/// An existing socket is taken over only if no process answers there: the daemon before us crashed. One that answers,
/// or a file that is no socket, is left alone and is an error. A file beside it is locked meanwhile, so that of two
/// daemons that start at the same time only one takes over.
package final class UnixListener {
  /// For the loop to watch for reading.
  package let descriptor: FileDescriptor
  /// The path at which it listens; `nil` for a passed socket.
  package let path: String?
  /// The file that we created, so that closing removes only that.
  private var created: FileIdentity?

  fileprivate init(adopted descriptor: FileDescriptor) {
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

extension UnixListener {
  /// Takes over a listening socket that systemd made, which is never removed from the file system.
  ///
  /// - Throws: If it is not a listening Unix stream socket; the descriptor is closed then.
  package static func adopt(_ number: Int32) throws(SystemError) -> UnixListener {
    let call = "take over the socket passed in as descriptor \(number)"
    let descriptor = try FileDescriptor(adopting: number)
    guard descriptor.isSocket else { throw SystemError(code: ENOTSOCK, call: call, message: "it is no socket") }
    guard try option(SO_DOMAIN, of: descriptor, call) == AF_UNIX else {
      throw SystemError(code: EAFNOSUPPORT, call: call, message: "it is not a Unix socket")
    }
    guard try option(SO_TYPE, of: descriptor, call) == Int32(SOCK_STREAM.rawValue) else {
      throw SystemError(code: EPROTOTYPE, call: call, message: "it is not a stream socket: use ListenStream=")
    }
    guard try option(SO_ACCEPTCONN, of: descriptor, call) != 0 else {
      throw SystemError(code: EINVAL, call: call, message: "it does not listen: use Accept=no")
    }
    return UnixListener(adopted: descriptor)
  }

  private static func option(
    _ option: Int32, of descriptor: FileDescriptor, _ call: String
  ) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    _ = try SystemError.check(unsafe clinux_socket_option(descriptor.rawValue, option, &value), call)
    return value
  }
}
