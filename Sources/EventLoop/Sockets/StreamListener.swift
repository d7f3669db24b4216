import CLinux
import Glibc

/// A socket that accepts connections of streams.
package protocol StreamListener: AnyObject {
  /// For the loop to watch for reading.
  var descriptor: FileDescriptor { get }

  /// The next connection, or nil when none waits.
  ///
  /// - Throws: For example `EMFILE` if no descriptor is left. The connection still waits and the listener stays ready,
  ///   so the caller should stop watching it for a while.
  func accept() throws(SystemError) -> FileDescriptor?

  /// Stops listening.
  func close()
}

extension FileDescriptor {
  /// Takes over a listening socket that systemd made.
  ///
  /// - Throws: If it is not a listening stream socket of Unix or TCP; the descriptor is closed then.
  package static func adoptListener(_ number: Int32) throws(SystemError) -> any StreamListener {
    let call = "take over the socket passed in as descriptor \(number)"
    let descriptor = try FileDescriptor(adopting: number)
    guard descriptor.isSocket else { throw SystemError(code: ENOTSOCK, call: call, message: "it is no socket") }
    let family = try descriptor.family(call)
    guard [AF_UNIX, AF_INET, AF_INET6].contains(family) else {
      throw SystemError(code: EAFNOSUPPORT, call: call, message: "it is neither a Unix nor a TCP socket")
    }
    guard try descriptor.socketOption(SO_TYPE, call) == Int32(SOCK_STREAM.rawValue) else {
      throw SystemError(code: EPROTOTYPE, call: call, message: "it is not a stream socket: use ListenStream=")
    }
    guard try descriptor.socketOption(SO_ACCEPTCONN, call) != 0 else {
      throw SystemError(code: EINVAL, call: call, message: "it does not listen: use Accept=no")
    }
    return family == AF_UNIX ? UnixListener(adopted: descriptor) : try TCPListener(descriptor)
  }

  /// The address family of a socket.
  func family(_ call: String) throws(SystemError) -> Int32 { try self.socketOption(SO_DOMAIN, call) }

  private func socketOption(_ option: Int32, _ call: String) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    _ = try SystemError.check(unsafe clinux_socket_option(self.rawValue, option, &value), call)
    return value
  }
}
