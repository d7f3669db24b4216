package import EventLoop
import Glibc
import Positioning

/// A receiver, a gpsd and a positiond in a temporary folder, run by an ordinary user.
///
/// It is for developers of applications, on a laptop without a receiver and in automatic tests. Everything that it
/// starts ends with it, and it ends when one of its parts does.
package final class Sandbox {
  /// The paths of its parts, once it runs.
  package struct Places: Hashable, Sendable {
    package var folder: String
    /// positiond's socket.
    package var socket: String
    /// The receiver's device.
    package var device: String
    package var gpsdPort: UInt16
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
  private static let pollInterval = Duration.milliseconds(20)

  private let loop: EventLoop
  private let parts: SandboxParts
  private var timer: LoopTimer?
  private var state: State = .made

  /// Called once, when positiond accepts connections.
  package var ready: (Places) -> Void = { _ in }
  /// Called once, when every part has ended and the folder is removed; with the reason if `stop` was not called.
  package var ended: (String?) -> Void = { _ in }

  package init(settings: Settings, on loop: EventLoop) throws(SystemError) {
    self.loop = loop
    self.parts = try SandboxParts(settings: settings, on: loop)
  }

  /// Starts the receiver, gpsd and positiond. `ended` is called if `ready` is not.
  package func start() throws(GpsdProcess.Failure) {
    do throws(SystemError) {
      self.timer = try self.loop.timer(accuracy: .milliseconds(1)) { [weak self] in self?.timeIsUp() }
    } catch {
      throw .system(error)
    }
    self.parts.receiverFailed = { [weak self] error in self?.stop(because: "the receiver failed: \(error)") }
    self.parts.ended = { [weak self] part, exit in self?.ended(part, exit) }
    try self.parts.start()
    self.parts.receiver?.pluggedOrUnplugged = { [weak self] in self?.announceReceiver(isPlugged: $0) }
    self.state = .starting(deadline: self.loop.now + Self.startTime)
    self.timer?.arm(at: self.loop.now + Self.pollInterval)
  }

  /// Ends everything; `ended` is called when it is done.
  package func stop() { self.stop(because: nil) }

  /// Kills gpsd, to show how the other parts handle that.
  package func killGpsd() { self.parts.gpsd?.kill() }

  /// Notifies gpsd that the receiver was plugged in or unplugged, as udev does for a real one. gpsd forgets a receiver that is
  /// gone, and does not look for it.
  private func announceReceiver(isPlugged: Bool) {
    do throws(SystemError) {
      try self.parts.gpsd?.control("\(isPlugged ? "+" : "-")\(self.parts.folder.device)")
    } catch {
      self.stop(because: "gpsd cannot be notified of the receiver: \(error)")
    }
  }

  // MARK: Waiting

  private func timeIsUp() {
    switch self.state {
    case .made, .running, .ended:
      break
    case .starting(let deadline):
      self.pollSocket(until: deadline)
    case .stopping:
      // gpsd and positiond have not ended in time.
      self.parts.gpsd?.kill()
      self.parts.positiond?.send(SIGKILL)
    }
  }

  private func pollSocket(until deadline: Instant) {
    let now = self.loop.now
    let folder = self.parts.folder
    if self.socketAccepts, self.parts.gpsd != nil, let device = self.parts.devicePath {
      self.state = .running
      self.ready(
        Places(folder: folder.path, socket: folder.socket, device: device, gpsdPort: self.parts.gpsdPort))
    } else if now < deadline {
      self.timer?.arm(at: now + Self.pollInterval)
    } else {
      self.stop(because: "positiond did not listen on \(folder.socket) within 20 s\(self.lastLine(of: .positiond))")
    }
  }

  private var socketAccepts: Bool {
    do throws(SystemError) {
      try UnixSocket.connect(path: self.parts.folder.socket).close()
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
    self.parts.gpsd?.stop()
    self.parts.positiond?.send(SIGTERM)
    self.timer?.arm(at: self.loop.now + Self.stopTime)
    self.endIfAllEnded()
  }

  private func ended(_ part: SandboxParts.Part, _ exit: ChildExit) {
    self.stop(because: "\(part.rawValue) \(exit.words)\(self.lastLine(of: part))")
    self.endIfAllEnded()
  }

  private func endIfAllEnded() {
    guard case .stopping(let failure) = self.state, self.parts.gpsd == nil, self.parts.positiond == nil else { return }
    self.state = .ended
    self.timer?.cancel()
    do throws(SystemError) {
      try self.parts.remove()
      self.ended(failure)
    } catch {
      self.ended(failure ?? "the folder stays: \(error)")
    }
  }

  /// The last line that a part logged, to be reported with its end.
  private func lastLine(of part: SandboxParts.Part) -> String {
    // A part that has not logged anything has no log.
    let folder = self.parts.folder
    guard let bytes = try? File.read(part == .gpsd ? folder.file("gpsd.log") : folder.log),
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last
    else { return "" }
    return "; it logged last: \(line)"
  }
}

extension ChildExit {
  /// How the process ended, for people.
  fileprivate var words: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .killed(let signal): "was killed by signal \(signal)"
    }
  }
}

extension Sandbox {
  package struct Settings: Hashable, Sendable {
    package var source: Source
    /// Whether the receiver is plugged in at the start.
    package var isPlugged = true
    /// Further options of gpsd, such as `-b`.
    package var gpsdArguments: [String] = []
    /// The environment of gpsd and positiond.
    package var environment: [String: String] = [:]
    /// The clock of a simulated receiver; `nil`: the loop's.
    package var clock: FastClock?
    /// The positiond to run.
    package var positiond: String
    /// Further lines of its configuration; of those with the same key the last counts.
    package var configuration: [ConfigurationLine]

    package init(source: Source, positiond: String, configuration: [ConfigurationLine] = []) {
      self.source = source
      self.positiond = positiond
      self.configuration = configuration
    }
  }

  /// The input of gpsd.
  package enum Source: Hashable, Sendable {
    case simulated(Simulation.Settings)
    /// A replayed log in place of the receiver, from the moment when gpsd opens the device.
    case recorded(ReplayLog, ReplayPace)
  }
}

extension Sandbox {
  /// One key of positiond's configuration.
  package struct ConfigurationLine: Hashable, Sendable {
    package var section: String
    package var key: String
    package var value: String

  }
}

extension Sandbox.ConfigurationLine {
  /// Reads `SECTION.KEY=VALUE`. A section such as `rule me` may have blanks; `nil` for any other form.
  package init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), let dot = text[..<equals].lastIndex(of: "."), dot > text.startIndex,
      text.index(after: dot) < equals, !text.contains(where: \.isNewline)
    else { return nil }
    self.init(
      section: String(text[..<dot]), key: String(text[text.index(after: dot)..<equals]),
      value: String(text[text.index(after: equals)...]))
  }
}

extension [Sandbox.ConfigurationLine] {
  /// The lines without those whose key occurs again later.
  package var withoutRepetition: Self {
    self.reduce(into: []) { lines, line in
      lines.removeAll { ($0.section, $0.key) == (line.section, line.key) }
      lines.append(line)
    }
  }

  /// The text of a configuration file with these lines.
  package var text: String {
    let sections = Dictionary(grouping: self, by: \.section).sorted { $0.key < $1.key }
    return sections.map { section, lines in
      "[\(section)]\n" + lines.map { "\($0.key)=\($0.value)\n" }.joined()
    }.joined()
  }
}
