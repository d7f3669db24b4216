package import EventLoop
import Glibc

/// The parts of a sandbox: a receiver, a gpsd and a positiond in a folder of their own, each of which can end and be
/// started again.
///
/// They belong to their loop. When this object is released, running processes are killed and the folder is removed.
package final class SandboxParts {
  /// A part that is a process.
  package enum Part: String, Sendable {
    case gpsd, positiond
  }

  package let folder: SandboxFolder
  /// The simulated receiver; `nil` where a recording is replayed.
  package let receiver: SimulatedReceiver?
  /// Replays the recording, where there is one.
  package let player: ReplayPlayer?
  /// The running gpsd.
  package private(set) var gpsd: GpsdProcess?
  /// The running positiond.
  package private(set) var positiond: Subprocess?
  /// Called when a process has ended without `killGpsd` or `killPositiond`.
  package var ended: (Part, ChildExit) -> Void = { _, _ in }
  /// Called when a system call failed and the receiver was unplugged.
  package var receiverFailed: (SystemError) -> Void = { _ in }
  private let settings: Sandbox.Settings
  private let loop: EventLoop
  private let reservation: TCPReservation

  package init(settings: Sandbox.Settings, on loop: EventLoop) throws(SystemError) {
    self.settings = settings
    self.loop = loop
    self.folder = try SandboxFolder(prefix: "positionsim-")
    self.reservation = try TCPReservation()
    switch settings.source {
    case .simulated(let receiver):
      self.receiver = SimulatedReceiver(
        settings: receiver, on: loop, link: self.folder.device, clock: settings.clock)
      self.player = nil
    case .recorded(let log, let pace):
      self.receiver = nil
      self.player = ReplayPlayer(log, pace: pace, on: loop, link: self.folder.device)
    }
  }

  /// gpsd's port on 127.0.0.1, the same for each gpsd that is started.
  package var gpsdPort: UInt16 { self.reservation.port }

  /// The path of the receiver's device; `nil` while it is unplugged.
  package var devicePath: String? { self.receiver?.path ?? self.player?.path }

  /// Starts all of them.
  package func start() throws(GpsdProcess.Failure) {
    do throws(SystemError) {
      if self.settings.isPlugged { try self.plugReceiver() }
    } catch {
      throw .system(error)
    }
    try self.startGpsd()
    do throws(SystemError) {
      try self.configure(self.settings.configuration)
      try self.startPositiond()
    } catch {
      throw .system(error)
    }
  }

  // MARK: The receiver

  /// Plugs the receiver in for the first time. gpsd knows the device already if it is plugged in from the beginning.
  package func plugReceiver() throws(SystemError) {
    self.receiver?.failed = { [weak self] error in self?.receiverFailed(error) }
    self.player?.failed = { [weak self] error in self?.receiverFailed(error) }
    try self.receiver?.start()
    try self.player?.start()
  }

  // MARK: gpsd

  package func startGpsd() throws(GpsdProcess.Failure) {
    self.gpsd = try GpsdProcess(
      devices: self.settings.isPlugged ? [self.folder.device] : [], folder: self.folder.path, on: self.loop,
      port: self.reservation, arguments: self.settings.gpsdArguments, environment: self.settings.environment
    ) { [weak self] exit in
      self?.gpsd = nil
      self?.ended(.gpsd, exit)
    }
  }

  /// Kills gpsd and waits for its end, which releasing the object does.
  package func killGpsd() { self.gpsd = nil }

  // MARK: positiond

  /// Writes positiond's configuration with these further lines. A running positiond reads it at SIGHUP.
  package func configure(_ further: [Sandbox.ConfigurationLine]) throws(SystemError) {
    try self.folder.configure(gpsdPort: self.gpsdPort, further)
  }

  package func startPositiond() throws(SystemError) {
    let log = self.folder.log
    var command = self.folder.command(self.settings.positiond)
    command.environment = self.settings.environment
    self.positiond = try Subprocess(
      command, on: self.loop, output: .file(log), errors: .file(log)
    ) { [weak self] exit in
      self?.positiond = nil
      self?.ended(.positiond, exit)
    }
  }

  /// Kills positiond and waits for its end, which releasing the object does.
  package func killPositiond() { self.positiond = nil }

  /// Unplugs the receiver, ends gpsd and positiond if they run, and removes the folder. A running process would write
  /// into the folder while it is removed.
  package func remove() throws(SystemError) {
    self.killPositiond()
    self.killGpsd()
    self.receiver?.stop()
    self.player?.stop()
    try self.folder.remove()
  }
}

/// The temporary folder of a separate positiond, with its configuration, socket, database and log.
///
/// It is removed when this object is released.
package final class SandboxFolder {
  private let folder: TemporaryFolder

  /// - Parameter prefix: The beginning of the folder's name.
  package init(prefix: String) throws(SystemError) {
    self.folder = try TemporaryFolder(prefix: prefix)
  }

  package var path: String { self.folder.path }
  /// positiond's socket.
  package var socket: String { self.file("positiond.sock") }
  /// positiond's configuration file.
  package var configuration: String { self.file("positiond.conf") }
  /// The log of positiond, if it is started with this file.
  package var log: String { self.file("positiond.log") }
  /// The receiver's device: a link that stays the same when the receiver is unplugged and plugged in again.
  package var device: String { self.file("receiver") }

  /// The path of a file in it.
  package func file(_ name: String) -> String { self.folder.file(name) }

  /// Writes positiond's configuration: the lines that a positiond in this folder needs, and further lines, which have
  /// precedence if their keys are the same.
  package func configure(gpsdPort: UInt16, _ further: [Sandbox.ConfigurationLine]) throws(SystemError) {
    let own = [
      Sandbox.ConfigurationLine(section: "server", key: "socket", value: self.socket),
      Sandbox.ConfigurationLine(section: "gpsd", key: "host", value: "127.0.0.1"),
      Sandbox.ConfigurationLine(section: "gpsd", key: "port", value: "\(gpsdPort)"),
      Sandbox.ConfigurationLine(section: "store", key: "path", value: self.file("positiond.db")),
      // The position is simulated, so every program that can connect may know it, unless a configuration tests
      // permission.
      Sandbox.ConfigurationLine(section: "authorization", key: "default", value: "allow"),
    ]
    try self.write(configuration: (own + further).withoutRepetition.text)
  }

  /// Replaces the configuration with a text. A reader gets the whole old text or the whole new one.
  package func write(configuration text: String) throws(SystemError) {
    let new = "\(self.configuration).new"
    try File.write(Array(text.utf8), to: new)
    guard unsafe rename(new, self.configuration) == 0 else { throw SystemError.last("rename \(new)") }
  }

  /// The command that starts a positiond with this configuration.
  package func command(_ positiond: String) -> Command {
    Command(positiond, ["--config", self.configuration], hasOwnGroup: true)
  }

  /// Removes it with its contents. A second call does nothing.
  package func remove() throws(SystemError) { try self.folder.remove() }
}
