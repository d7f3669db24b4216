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

extension FileDescriptor {
  /// The next connection of a listening socket, or nil when none waits.
  func acceptConnection() throws(SystemError) -> FileDescriptor? {
    if case .memory(let stream) = handle { return try stream.accept().map { FileDescriptor($0) } }
    while true {
      let number = clinux_accept(rawValue)
      let code = errno
      if number >= 0 { return try FileDescriptor(adopting: number) }
      switch code {
      case EAGAIN, EWOULDBLOCK: return nil
      // This client has disconnected; another may be waiting.
      case ECONNABORTED, EINTR, EPROTO: continue
      default: throw SystemError(code: code, call: "accept")
      }
    }
  }
}

/// Sockets of the loop's kernel.
extension EventLoop {
  /// Connects to a listener at a path; see ``UnixSocket``.
  package func connect(path: String) throws(SystemError) -> FileDescriptor {
    switch backend {
    case .system: try UnixSocket.connect(path: path)
    case .memory(let kernel): FileDescriptor(try kernel.connect(to: .path(path)))
    }
  }

  /// Starts to connect over TCP; see ``TCPSocket``.
  package func connect(
    address: String, port: UInt16, owner: UInt32? = nil
  ) throws(SystemError) -> FileDescriptor {
    switch backend {
    case .system: try TCPSocket.connect(address: address, port: port, owner: owner)
    case .memory(let kernel): FileDescriptor(try kernel.connect(to: .port(port, address: address)))
    }
  }

  /// Listens at a path; see ``UnixListener``.
  package func listen(path: String, mode: UInt32, backlog: Int32) throws(SystemError) -> any StreamListener {
    switch backend {
    case .system: try UnixSocket.listen(path: path, mode: mode, backlog: backlog)
    case .memory(let kernel): UnixListener(adopted: FileDescriptor(try kernel.listen(at: .path(path))))
    }
  }

  /// Listens on the loopback addresses; see ``TCPSocket``.
  package func listenOnLoopback(port: UInt16, backlog: Int32) throws(SystemError) -> [any StreamListener] {
    switch backend {
    case .system: return try TCPSocket.listenOnLoopback(port: port, backlog: backlog)
    case .memory(let kernel):
      let address = KernelAddress.port(port, address: "127.0.0.1")
      return [TCPListener(FileDescriptor(try kernel.listen(at: address)), port: port)]
    }
  }
}
