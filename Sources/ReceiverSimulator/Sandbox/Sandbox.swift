package import EventLoop
import Glibc
import Positioning

/// A receiver, a gpsd and a positiond of one's own in a temporary folder, as an ordinary user, for as long as wanted.
///
/// For developers of applications: on a laptop without a receiver, and in automatic tests. Everything it starts ends
/// with it, and it ends when one of its parts does.
package final class Sandbox {
  package struct Settings: Hashable, Sendable {
    package var receiver: Simulation.Settings
    /// The positiond to run.
    package var positiond: String
    /// Further lines of its configuration, with their section.
    package var configuration: [ConfigurationLine]

    package init(receiver: Simulation.Settings, positiond: String, configuration: [ConfigurationLine] = []) {
      self.receiver = receiver
      self.positiond = positiond
      self.configuration = configuration
    }
  }

  /// One key of positiond's configuration.
  package struct ConfigurationLine: Hashable, Sendable {
    package var section: String
    package var key: String
    package var value: String

    package init(section: String, key: String, value: String) {
      self.section = section
      self.key = key
      self.value = value
    }
  }

  /// What is where, once it runs.
  package struct Places: Hashable, Sendable {
    package var folder: String
    /// positiond's socket.
    package var socket: String
    /// The receiver's device.
    package var device: String
    package var gpsdPort: UInt16
  }

  private enum Part: String {
    case gpsd, positiond
  }

  private enum State {
    case made
    case starting(deadline: Instant)
    case running
    case stopping(failure: String?)
    case ended
  }

  private static let startTime = Duration.seconds(20)
  private static let stopTime = Duration.seconds(5)
  private static let lookAgain = Duration.milliseconds(20)

  private let settings: Settings
  private let loop: EventLoop
  private let folder: TemporaryFolder
  private var timer: LoopTimer?
  private var gpsd: GpsdProcess?
  private var positiond: Subprocess?
  private var state: State = .made

  package let receiver: SimulatedReceiver
  /// Called once, when positiond accepts connections.
  package var ready: (Places) -> Void = { _ in }
  /// Called once, when every part has ended and the folder is gone; with the reason if it was not asked to stop.
  package var ended: (String?) -> Void = { _ in }

  package init(settings: Settings, on loop: EventLoop) throws(SystemError) {
    self.settings = settings
    self.loop = loop
    self.folder = try TemporaryFolder(prefix: "positionsim-")
    self.receiver = SimulatedReceiver(settings: settings.receiver, on: loop, link: self.folder.file("receiver"))
  }

  private var socket: String { self.folder.file("positiond.sock") }

  /// Starts the receiver, gpsd and positiond. `ended` is called if `ready` is not.
  package func start() throws(GpsdProcess.Failure) {
    do throws(SystemError) {
      let timer = try self.loop.timer(accuracy: .milliseconds(1)) { [weak self] in self?.timeIsUp() }
      self.timer = timer
      self.receiver.failed = { [weak self] error in self?.stop(because: "the receiver failed: \(error)") }
      try self.receiver.start()
    } catch {
      throw .system(error)
    }
    let gpsd = try GpsdProcess(devices: [self.folder.file("receiver")], folder: self.folder.path, on: self.loop) {
      [weak self] exit in self?.ended(.gpsd, exit)
    }
    self.gpsd = gpsd
    do throws(SystemError) {
      let configuration = self.folder.file("positiond.conf")
      try File.write(Array(self.configuration(gpsdPort: gpsd.port).utf8), to: configuration)
      self.positiond = try Subprocess(
        Command(self.settings.positiond, ["--config", configuration], hasOwnGroup: true), on: self.loop,
        output: .file(self.log), errors: .file(self.log)
      ) { [weak self] exit in self?.ended(.positiond, exit) }
    } catch {
      throw .system(error)
    }
    self.state = .starting(deadline: self.loop.now + Self.startTime)
    self.timer?.arm(at: self.loop.now + Self.lookAgain)
  }

  /// Ends everything; `ended` is called when it is done.
  package func stop() { self.stop(because: nil) }

  /// Kills gpsd, to see what becomes of the rest.
  package func killGpsd() { self.gpsd?.kill() }

  private var log: String { self.folder.file("positiond.log") }

  /// positiond's configuration file.
  private func configuration(gpsdPort: UInt16) -> String {
    var lines = [
      ConfigurationLine(section: "server", key: "socket", value: self.socket),
      ConfigurationLine(section: "gpsd", key: "host", value: "127.0.0.1"),
      ConfigurationLine(section: "gpsd", key: "port", value: "\(gpsdPort)"),
      ConfigurationLine(section: "store", key: "path", value: self.folder.file("positiond.db")),
    ]
    // The position is simulated, so every program that reaches the socket may know it, unless permission is what is
    // tried out.
    let permission = ConfigurationLine(section: "authorization", key: "default", value: "allow")
    let isSet = self.settings.configuration.contains { ($0.section, $0.key) == (permission.section, permission.key) }
    if !isSet { lines.append(permission) }
    lines += self.settings.configuration
    var text = ""
    var section: String?
    for line in lines.sorted(by: { $0.section < $1.section }) {
      if line.section != section { text += "[\(line.section)]\n" }
      section = line.section
      text += "\(line.key)=\(line.value)\n"
    }
    return text
  }

  // MARK: Waiting

  private func timeIsUp() {
    switch self.state {
    case .made, .running, .ended:
      break
    case .starting(let deadline):
      self.lookForSocket(until: deadline)
    case .stopping:
      // They had their time to end by themselves.
      self.gpsd?.kill()
      self.positiond?.send(SIGKILL)
    }
  }

  private func lookForSocket(until deadline: Instant) {
    let now = self.loop.now
    if self.socketAccepts, let gpsd = self.gpsd, let device = self.receiver.path {
      self.state = .running
      self.ready(
        Places(folder: self.folder.path, socket: self.socket, device: device, gpsdPort: gpsd.port))
    } else if now < deadline {
      self.timer?.arm(at: now + Self.lookAgain)
    } else {
      self.stop(because: "positiond did not listen on \(self.socket) within 20 s\(self.lastWords(of: .positiond))")
    }
  }

  private var socketAccepts: Bool {
    do throws(SystemError) {
      try UnixSocket.connect(path: self.socket).close()
      return true
    } catch {
      return false
    }
  }

  // MARK: Ending

  private func stop(because failure: String?) {
    switch self.state {
    case .stopping, .ended: return
    case .made, .starting, .running: break
    }
    self.state = .stopping(failure: failure)
    self.gpsd?.stop()
    self.positiond?.send(SIGTERM)
    self.timer?.arm(at: self.loop.now + Self.stopTime)
    self.endIfAllEnded()
  }

  private func ended(_ part: Part, _ exit: ChildExit) {
    let words = self.lastWords(of: part)
    switch part {
    case .gpsd: self.gpsd = nil
    case .positiond: self.positiond = nil
    }
    self.stop(because: "\(part.rawValue) \(exit.words)\(words)")
    self.endIfAllEnded()
  }

  private func endIfAllEnded() {
    guard case .stopping(let failure) = self.state, self.gpsd == nil, self.positiond == nil else { return }
    self.state = .ended
    self.timer?.cancel()
    self.receiver.stop()
    do throws(SystemError) {
      try self.folder.remove()
      self.ended(failure)
    } catch {
      self.ended(failure ?? "the folder stays: \(error)")
    }
  }

  /// The last line that a part wrote, to be said with its end.
  private func lastWords(of part: Part) -> String {
    // A log that is not there has no last words.
    guard let bytes = try? File.read(part == .gpsd ? self.folder.file("gpsd.log") : self.log),
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last
    else { return "" }
    return "; its last words: \(line)"
  }
}

extension ChildExit {
  /// How it ended, in words.
  fileprivate var words: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .killed(let signal): "was killed by signal \(signal)"
    }
  }
}
