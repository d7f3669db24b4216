import EventLoop
import ReceiverSimulator
import TestSupport

/// A daemon that a test starts, signals and watches by itself, in a folder of its own. At gpsd's port the test listens,
/// or nobody.
final class DaemonFixture {
  let folder: SandboxFolder
  let gpsdPort: UInt16
  private let loop: EventLoop

  /// - Parameters:
  ///   - gpsd: In gpsd's place; if there is none, connections are refused.
  ///   - port: gpsd's port, if it is a real one.
  init(on loop: EventLoop, gpsd: TCPListener? = nil, port: UInt16? = nil) throws {
    self.loop = loop
    self.folder = try SandboxFolder(prefix: "positiond-test-")
    self.gpsdPort = try port ?? gpsd?.localPort ?? TCPSocket.listenOnLoopback().localPort
    try self.configure()
  }

  var socket: String { self.folder.socket }
  var configuration: String { self.folder.configuration }

  /// Writes the configuration again: the daemon's own and these lines, `section.key=value`.
  func configure(_ further: [String] = [], socket: String? = nil) throws {
    let lines = ["receiver.linger=0"] + (socket.map { ["server.socket=\($0)"] } ?? []) + further
    try self.folder.configure(gpsdPort: self.gpsdPort, try Sandbox.ConfigurationLine.all(lines))
  }

  /// Replaces the configuration with a text.
  func write(_ configuration: String) throws { try self.folder.write(configuration: configuration) }

  /// The path of a file in the daemon's folder.
  func file(_ name: String) -> String { self.folder.file(name) }

  /// Starts a daemon, which may end at once.
  func start(environment: [String: String] = [:]) throws -> RunningProgram {
    try RunningProgram(
      Programs.path("positiond"), ["--config", self.configuration], environment: environment, on: self.loop)
  }

  /// Starts a daemon and waits until it serves.
  func startServing(environment: [String: String] = [:]) throws -> RunningProgram {
    let daemon = try self.start(environment: environment)
    try daemon.waitToSay("serves")
    return daemon
  }

  func client() throws -> LineClient { try LineClient(path: self.socket) }
}

extension Sandbox.ConfigurationLine {
  /// Lines as tests write them, `section.key=value`.
  static func all(_ lines: [String]) throws -> [Self] {
    try lines.map { text in
      guard let line = Self(text) else { throw TimedOut("no line of a configuration: \(text)") }
      return line
    }
  }
}
