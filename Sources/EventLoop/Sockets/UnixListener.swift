import CLinux
import Glibc

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
