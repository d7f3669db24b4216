import EventLoop
import Glibc
import Positioning
import ReceiverSimulator
import TestSupport

/// The parts of an integration fixture: those of a sandbox, and clients that are processes. They belong to its loop.
///
/// `@unchecked Sendable`: its fixture uses it on the loop's thread alone.
final class FixtureParts: @unchecked Sendable {
  let folder: SandboxFolder
  let gpsdPort: UInt16
  /// Whether the recording is over.
  private(set) var isReplayed = false
  private let loop: EventLoop
  private var sandbox: SandboxParts?
  private var clients: [Subprocess] = []
  private var killer: LoopTimer?

  /// Starts all of them, on the loop's thread.
  init(_ settings: Sandbox.Settings, on loop: EventLoop) throws {
    let sandbox = try SandboxParts(settings: settings, on: loop)
    self.loop = loop
    self.sandbox = sandbox
    self.folder = sandbox.folder
    self.gpsdPort = sandbox.gpsdPort
    sandbox.player?.finished = { [unowned self] in self.isReplayed = true }
    try sandbox.start()
  }

  func end() throws {
    self.clients = []
    try self.sandbox?.remove()
    self.sandbox = nil
  }

  // MARK: The receiver and gpsd

  /// The simulated one; `nil` if a recording is replayed.
  var receiver: SimulatedReceiver? { self.sandbox?.receiver }
  var gpsd: GpsdProcess? { self.sandbox?.gpsd }

  /// Plugs in a receiver that was not plugged in at first, and notifies gpsd of it.
  func plugReceiver() throws {
    try self.sandbox?.plugReceiver()
    try self.announceReceiver("+")
  }

  /// Notifies gpsd that the receiver was added (`+`) or removed (`-`), as udev does.
  func announceReceiver(_ sign: String) throws { try self.gpsd?.control("\(sign)\(self.folder.device)") }

  func startGpsd() throws { try self.sandbox?.startGpsd() }

  /// Kills gpsd and waits for its end.
  func killGpsd() { self.sandbox?.killGpsd() }

  // MARK: The daemon

  /// The running daemon.
  var daemon: Subprocess? { self.sandbox?.positiond }

  func startDaemon() throws { try self.sandbox?.startPositiond() }

  /// Kills the daemon and waits for its end.
  func killDaemon() { self.sandbox?.killPositiond() }

  /// Kills the daemon after a delay that depends on nothing else.
  func killDaemon(after delay: Duration) throws {
    guard let daemon else { return }
    let timer = try self.loop.timer(accuracy: .milliseconds(1)) { daemon.send(SIGKILL) }
    timer.arm(at: self.loop.now + delay)
    self.killer = timer
  }

  /// Asks the daemon to stop, as systemd does.
  func stopDaemon() { self.daemon?.send(SIGTERM) }

  /// Writes other lines, `section.key=value`, and makes the daemon read them, as an administrator does.
  func reloadDaemon(with configuration: [String]) throws {
    try self.sandbox?.configure(Self.configuration(configuration))
    self.daemon?.send(SIGHUP)
  }

  /// A test's lines of the configuration, after those of all tests.
  static func configuration(_ further: [String]) throws -> [Sandbox.ConfigurationLine] {
    try Sandbox.ConfigurationLine.all(["receiver.linger=500ms"] + further)
  }

  // MARK: Clients

  /// Starts a client that is a process of its own and subscribes.
  func startClient() throws {
    self.clients.append(
      try Subprocess(
        Command(Programs.path("positionctl"), ["--socket", self.folder.socket, "watch"]), on: self.loop,
        output: .discarded, errors: .discarded, exited: { _ in }))
  }

  /// Kills the clients, so that they cannot close their connections.
  func killClients() {
    for client in self.clients { client.send(SIGKILL) }
  }
}
