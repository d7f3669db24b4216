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
