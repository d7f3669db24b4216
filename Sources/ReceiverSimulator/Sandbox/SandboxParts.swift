package import EventLoop
import Glibc

/// What a sandbox consists of: a receiver, a gpsd and a positiond in a folder of their own, each of which can end and be
/// started again.
///
/// They live on their loop. What still runs when the last reference goes is killed, and the folder is removed.
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
  /// The gpsd that runs.
  package private(set) var gpsd: GpsdProcess?
  /// The positiond that runs.
  package private(set) var positiond: Subprocess?
  /// Called when a process has ended that was not killed by `killGpsd` or `killPositiond`.
  package var ended: (Part, ChildExit) -> Void = { _, _ in }
  /// Called when the system refused the receiver something, and it is gone.
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
      self.receiver = SimulatedReceiver(settings: receiver, on: loop, link: self.folder.device)
      self.player = nil
    case .recorded(let log, let pace):
      self.receiver = nil
      self.player = ReplayPlayer(log, pace: pace, on: loop, link: self.folder.device)
    }
  }

  /// gpsd's port on 127.0.0.1, the same for each gpsd that is started.
  package var gpsdPort: UInt16 { self.reservation.port }

  /// Where the receiver's device is now; `nil` while it is unplugged.
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

  /// Plugs the receiver in for the first time; gpsd knows of it if it was to be plugged in from the beginning.
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
      port: self.reservation, arguments: self.settings.gpsdArguments
    ) { [weak self] exit in
      self?.gpsd = nil
      self?.ended(.gpsd, exit)
    }
  }

  /// Kills gpsd and waits for its end: the object does on its own end.
  package func killGpsd() { self.gpsd = nil }

  // MARK: positiond

  /// Writes positiond's configuration with these further lines. One that runs reads it at SIGHUP.
  package func configure(_ further: [Sandbox.ConfigurationLine]) throws(SystemError) {
    try self.folder.configure(gpsdPort: self.gpsdPort, further)
  }

  package func startPositiond() throws(SystemError) {
    let log = self.folder.log
    self.positiond = try Subprocess(
      self.folder.command(self.settings.positiond), on: self.loop, output: .file(log), errors: .file(log)
    ) { [weak self] exit in
      self?.positiond = nil
      self?.ended(.positiond, exit)
    }
  }

  /// Kills positiond and waits for its end: the object does on its own end.
  package func killPositiond() { self.positiond = nil }

  /// Takes the receiver away, ends gpsd and positiond where they still run, and removes the folder. A process that runs on
  /// would write into the folder while it is removed.
  package func remove() throws(SystemError) {
    self.killPositiond()
    self.killGpsd()
    self.receiver?.stop()
    self.player?.stop()
    try self.folder.remove()
  }
}
