/// Sockets of the loop's kernel.
extension EventLoop {
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
