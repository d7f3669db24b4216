import Configuration
import EventLoop
import Positioning
import Systemd

/// The sockets for clients: those that systemd passed in, or else the configured one.
struct Listeners {
  let all: [UnixListener]
  /// Whether systemd made them, and starts positiond with the next connection.
  let arePassed: Bool

  /// The name of the descriptor in the socket's unit.
  static let name = "rpc"

  /// No socket that systemd passed in has the name.
  struct SocketNotPassed: Error, CustomStringConvertible {
    let description =
      "systemd passed in sockets and none of them is called \(Listeners.name): "
      + "write FileDescriptorName=\(Listeners.name) into the socket's unit"
  }

  static func open(_ socket: Settings.Socket, log: Log) throws -> Listeners {
    let passed = try ServiceManager.passedSockets()
    guard !passed.isEmpty else {
      let listener = try UnixSocket.listen(path: socket.path, mode: socket.mode, backlog: 128)
      return Listeners(all: [listener], arePassed: false)
    }
    for other in passed where other.name != self.name {
      log.write(.socketReplaced, "ignoring the unknown socket \(other.name) that systemd passed in")
    }
    let own = passed.filter { $0.name == self.name }
    guard !own.isEmpty else { throw SocketNotPassed() }
    if !own.contains(where: { $0.listens(at: socket.path) }) {
      log.write(
        .socketReplaced, "using the socket that systemd passed in, not socket=\(socket.path)")
    }
    return Listeners(all: own.map(\.listener), arePassed: true)
  }
}
