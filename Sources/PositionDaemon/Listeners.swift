import Configuration
import EventLoop
import Positioning
import Server
import Systemd

/// The sockets for clients: those that systemd passed in, or else the configured ones.
struct Listeners {
  let all: [(listener: any StreamListener, door: Door)]
  /// Whether systemd made all of them, and starts positiond with the next connection.
  let arePassed: Bool

  /// No socket that systemd passed in has the name.
  struct SocketNotPassed: Error, CustomStringConvertible {
    let description =
      "systemd passed in sockets and none of them is called \(Door.rpc.name): "
      + "write FileDescriptorName=\(Door.rpc.name) into the socket's unit"
  }

  /// A socket is of a kind that its door does not have.
  struct NetworkSocket: Error, CustomStringConvertible {
    let door: Door

    var description: String {
      "the socket \(self.door.name) that systemd passed in is not a Unix socket: only \(Door.gpsd.name) may be reached "
        + "over TCP"
    }
  }

  static func open(_ settings: Settings, on loop: EventLoop, in world: World) throws -> Listeners {
    let log = world.log
    let passed = try world.passedSockets()
    for other in passed where Door(rawValue: other.name) == nil {
      log.write(.socketReplaced, "ignoring the unknown socket \(other.name) that systemd passed in")
    }
    guard passed.isEmpty || passed.contains(where: { $0.name == Door.rpc.name }) else { throw SocketNotPassed() }
    var all: [(listener: any StreamListener, door: Door)] = []
    var arePassed = true
    for door in Door.allCases {
      let own = passed.filter { $0.name == door.name }
      if own.isEmpty {
        let configured = try settings.listen(at: door, on: loop)
        all += configured.map { ($0, door) }
        arePassed = arePassed && configured.isEmpty
        continue
      }
      guard door == .gpsd || own.allSatisfy(\.isUnix) else { throw NetworkSocket(door: door) }
      for place in settings.places(of: door) where !own.contains(where: { $0.listens(at: place) }) {
        log.write(.socketReplaced, "using the socket that systemd passed in, not \(place)")
      }
      all += own.map { ($0.listener, door) }
    }
    return Listeners(all: all, arePassed: arePassed)
  }
}

/// Where a door is by the configuration.
private enum Place: CustomStringConvertible {
  case path(String)
  case port(Int)

  /// The key and the value, as the configuration has them.
  var description: String {
    switch self {
    case .path(let path): "socket=\(path)"
    case .port(let port): "port=\(port)"
    }
  }
}

extension PassedSocket {
  fileprivate func listens(at place: Place) -> Bool {
    switch place {
    case .path(let path): self.listens(at: path)
    case .port(let port): self.listens(at: port)
    }
  }
}

extension Settings {
  /// How many connections may wait to be accepted.
  private static let backlog: Int32 = 128

  fileprivate func places(of door: Door) -> [Place] {
    switch door {
    case .rpc: [.path(self.socket.path)]
    case .nmea: [self.doors.nmeaSocket].compactMap { $0.map { .path($0) } }
    case .gpsd: [self.doors.gpsdPort.map { .port($0) }, self.doors.gpsdSocket.map { .path($0) }].compactMap { $0 }
    }
  }

  fileprivate func listen(at door: Door, on loop: EventLoop) throws(SystemError) -> [any StreamListener] {
    var listeners: [any StreamListener] = []
    for place in self.places(of: door) {
      switch place {
      case .path(let path):
        // Everybody may connect to the other doors, as to gpsd: permission is decided per client.
        let mode = door == .rpc ? self.socket.mode : 0o666
        listeners.append(try loop.listen(path: path, mode: mode, backlog: Self.backlog))
      case .port(let port):
        listeners += try loop.listenOnLoopback(port: UInt16(port), backlog: Self.backlog)
      }
    }
    return listeners
  }
}
