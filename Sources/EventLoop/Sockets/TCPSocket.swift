import CLinux
import Glibc

/// Connections to gpsd on another machine, or on a port of this one.
package enum TCPSocket {
  /// Starts to connect. The socket becomes writable when that has succeeded or failed; ``finishConnect(_:)`` returns
  /// which.
  ///
  /// - Parameters:
  ///   - address: a numeric IPv4 or IPv6 address, since looking up a name would block.
  ///   - owner: the user that owns the socket, by which packet filters decide; `nil`: the user of this process.
  /// - Throws: `EINVAL` when the address is none; `EPERM` when a user other than root names an owner; the system's
  ///   error when the connection fails at once.
  package static func connect(
    address: String, port: UInt16, owner: UInt32? = nil
  ) throws(SystemError) -> FileDescriptor {
    let call = "connect \(address) port \(port)"
    let number =
      if let owner { unsafe clinux_tcp_connect_as(address, port, owner) } else {
        unsafe clinux_tcp_connect(address, port)
      }
    let code = errno
    if number < 0 && code == EINVAL {
      throw SystemError(code: code, call: call, message: "not a numeric IPv4 or IPv6 address")
    }
    guard number >= 0 else { throw SystemError(code: code, call: call) }
    return try FileDescriptor(adopting: number)
  }

  /// Why connecting failed; `nil` if it succeeded.
  package static func finishConnect(_ socket: FileDescriptor) -> SystemError? {
    if case .memory(let stream) = socket.handle { return stream.connectError() }
    var code: Int32 = 0
    guard unsafe clinux_socket_option(socket.rawValue, SO_ERROR, &code) == 0 else { return .last("connect") }
    return code == 0 ? nil : SystemError(code: code, call: "connect")
  }

  /// Listens on the loopback address of IPv4, at a port that the kernel chooses.
  package static func listenOnLoopback(backlog: Int32 = 16) throws(SystemError) -> TCPListener {
    try self.listen(at: "127.0.0.1", port: 0, backlog)
  }

  /// Listens on the loopback addresses, of IPv4 and, where the system has it, of IPv6.
  package static func listenOnLoopback(port: UInt16, backlog: Int32) throws(SystemError) -> [TCPListener] {
    var listeners = [try self.listen(at: "127.0.0.1", port: port, backlog)]
    do throws(SystemError) {
      listeners.append(try self.listen(at: "::1", port: port, backlog))
    } catch {
      guard error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL else { throw error }
    }
    return listeners
  }

  private static func listen(at address: String, port: UInt16, _ backlog: Int32) throws(SystemError) -> TCPListener {
    let number = try SystemError.check(
      unsafe clinux_tcp_listen(address, port, backlog), "listen on \(address) port \(port)")
    return try TCPListener(FileDescriptor(adopting: number))
  }
}

/// A port of the loopback address without a listener, which the system assigns to no other program while this exists.
///
/// A server that sets `SO_REUSEADDR`, as gpsd does, may still listen there, even again after a restart.
package final class TCPReservation {
  package let port: UInt16
  private let descriptor: FileDescriptor

  package init() throws(SystemError) {
    let number = try SystemError.check(clinux_tcp_reserve_loopback(), "reserve a port on loopback")
    self.descriptor = try FileDescriptor(adopting: number)
    self.port = UInt16(try SystemError.check(clinux_local_port(self.descriptor.rawValue), "ask for the local port"))
  }
}

/// A TCP socket that accepts connections.
package final class TCPListener: StreamListener {
  package let descriptor: FileDescriptor
  /// The port at which it listens.
  package let localPort: UInt16

  init(_ descriptor: FileDescriptor) throws(SystemError) {
    self.descriptor = descriptor
    localPort = UInt16(try SystemError.check(clinux_local_port(descriptor.rawValue), "ask for the local port"))
  }

  /// One of a kernel in memory, which does not say the port.
  init(_ descriptor: FileDescriptor, port: UInt16) {
    self.descriptor = descriptor
    localPort = port
  }

  /// The next connection, or nil when none waits.
  package func accept() throws(SystemError) -> FileDescriptor? {
    try descriptor.acceptConnection()
  }

  package func close() { self.descriptor.close() }
}
