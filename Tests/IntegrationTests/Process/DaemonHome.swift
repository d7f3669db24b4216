import EventLoop
import Glibc
import ReceiverSimulator
import TestSupport

/// A folder for a daemon of a test's own, and where its gpsd would be: a port at which the test listens, or nobody.
final class DaemonHome {
  let folder: TemporaryFolder
  let socket: String
  let configuration: String
  let gpsdPort: UInt16
  private let loop: EventLoop

  /// - Parameters:
  ///   - gpsd: in gpsd's place; where there is none, connections are refused.
  ///   - port: where gpsd is, if it is a real one.
  init(on loop: EventLoop, gpsd: TCPListener? = nil, port: UInt16? = nil) throws {
    self.loop = loop
    self.folder = try TemporaryFolder(prefix: "positiond-home-")
    self.socket = self.folder.file("positiond.sock")
    self.configuration = self.folder.file("positiond.conf")
    self.gpsdPort = try port ?? gpsd?.localPort ?? TCPSocket.listenOnLoopback().localPort
    try self.configure()
  }

  /// Writes the configuration anew: the daemon's own and these lines, `section.key=value`.
  func configure(_ further: [String] = [], socket: String? = nil) throws {
    let lines =
      [
        "server.socket=\(socket ?? self.socket)", "gpsd.host=127.0.0.1", "gpsd.port=\(self.gpsdPort)",
        "receiver.linger=0", "store.path=\(self.folder.file("positiond.db"))",
      ] + further
    var keys: [String: String] = [:]
    for line in lines {
      let parts = line.split(separator: ".", maxSplits: 1).map { String($0) }
      let key = parts[1].prefix { $0 != "=" }
      keys["\(parts[0]).\(key)"] = line
    }
    var text = ""
    for section in Set(keys.values.map { $0.prefix { $0 != "." } }).sorted() {
      text += "[\(section)]\n"
      for line in keys.values.sorted() where line.hasPrefix("\(section).") {
        text += "\(line.dropFirst(section.count + 1))\n"
      }
    }
    try self.write(text)
  }

  /// Puts a text in the configuration's place, at once.
  func write(_ text: String) throws {
    let new = self.folder.file("positiond.conf.new")
    try File.write(Array(text.utf8), to: new)
    guard unsafe rename(new, self.configuration) == 0 else { throw SystemError.last("rename \(new)") }
  }

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
