import EventLoop
import Glibc
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport

/// A whole stage for a play: a simulated receiver or a recorded one, a real gpsd and the real daemon, in a folder of their own.
///
/// They live on a loop with a thread of its own, so that a test may block while they go on. Everything is ended, and
/// the folder removed, when the stage goes.
///
/// `@unchecked Sendable`: what lives on the loop is touched by `onLoop` alone, the rest never changes.
final class Stage: @unchecked Sendable {
  /// What is played.
  struct Play: Sendable {
    var receiver = Simulation.Settings(
      route: .circle(
        centre: Coordinate(latitude: 48.137, longitude: 11.575), radius: 500, speed: 10),
      receiver: ReceiverModel.Settings(firstStart: .ready))
    /// A recorded log that takes the simulated receiver's place.
    var recording: Recording?
    /// `-b` opens a device in one second instead of six, and writes nothing to it.
    var gpsdArguments = ["-b"]
    var linger = "500ms"
    /// Further lines of the configuration, `section.key=value`.
    var configuration: [String] = []
    /// Whether the receiver is plugged in at first.
    var isPlugged = true
  }

  /// A log, and how fast it is played from the moment that gpsd opens the device.
  struct Recording: Sendable {
    var log: ReplayLog
    var pace: ReplayPace
  }

  let folder: String
  let socket: String
  let gpsdPort: UInt16
  private let loop: EventLoop
  private let thread: LoopThread
  private let cast: Cast

  init(_ play: Play = Play()) throws {
    let loop = try EventLoop()
    self.loop = loop
    let cast = try Cast(play: play)
    self.cast = cast
    self.folder = cast.folder.path
    self.socket = cast.folder.file("positiond.sock")
    self.gpsdPort = cast.gpsdPort
    let raised = Latch()
    self.thread = try EventLoop.spawnThread(name: "stage") {
      do {
        try cast.enter(on: loop)
        raised.open()
        _ = try loop.run()
        try cast.leave()
      } catch {
        fatalError("the stage fell: \(error)")
      }
    }
    raised.wait()
    try self.waitForSocket()
  }

  deinit {
    let loop = self.loop
    loop.call { loop.stop() }
    self.thread.join()
  }

  /// - Parameter user: as whom it connects; `nil`: as whoever runs the tests.
  func client(as user: OtherUser? = nil) throws -> LineClient { try LineClient(path: self.socket, as: user) }

  /// Does something with the cast, on its loop, and waits for it.
  func onLoop<Result: Sendable>(_ body: @escaping @Sendable (Cast) throws -> Result) throws -> Result {
    let done = Latch()
    let box = Outcome<Result>()
    let cast = self.cast
    self.loop.call {
      box.result = Swift.Result { try body(cast) }
      done.open()
    }
    done.wait()
    guard let result = box.result else { preconditionFailure("the latch opened early") }
    return try result.get()
  }

  /// Asks the daemon until its status is as wanted.
  func waitForStatus(_ what: String, _ matches: (JSONValue) -> Bool) throws -> JSONValue {
    let client = try self.client()
    let deadline = monotonicSeconds() + TestDeadline.seconds
    var status = try client.call("status.get")
    let id = try client.request("status.subscribe")
    _ = try client.reply(to: id)
    while !matches(status) {
      let left = deadline - monotonicSeconds()
      guard left > 0 else { throw TimedOut("\(what): never; \(status)") }
      do {
        status = try client.notification("status.update", within: min(left, 1))
      } catch is TimedOut {
        // Ages and counters change without an update.
        status = try client.call("status.get")
      }
    }
    return status
  }

  /// Waits until the daemon answers.
  func waitForSocket() throws {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while true {
      do {
        _ = try LineClient(path: self.socket).call("status.get")
        return
      } catch {
        guard monotonicSeconds() < deadline else { throw TimedOut("positiond did not start: \(self.log)") }
        try self.onLoop { cast in
          if cast.daemonExit != nil { throw TimedOut("positiond ended at once") }
        }
      }
    }
  }

  /// What the daemon logged.
  var log: String {
    guard let bytes = try? File.read("\(self.folder)/positiond.log") else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Hands a result from one thread to another.
///
/// `@unchecked Sendable`: the latch orders the one write before the one read.
private final class Outcome<Result>: @unchecked Sendable {
  var result: Swift.Result<Result, any Error>?
}

/// Who plays: they live on the stage's loop.
final class Cast: @unchecked Sendable {
  let folder: TemporaryFolder
  private let reservation: TCPReservation
  private var play: Stage.Play
  private(set) var loop: EventLoop?
  /// Plays unless a recording does.
  private(set) var receiver: SimulatedReceiver?
  private var player: ReplayPlayer?
  /// Whether the recording is over.
  private(set) var isPlayed = false
  private(set) var gpsd: GpsdProcess?
  private(set) var daemon: Subprocess?
  private(set) var daemonExit: ChildExit?
  private var clients: [Subprocess] = []
  private var killer: LoopTimer?

  init(play: Stage.Play) throws {
    self.play = play
    self.folder = try TemporaryFolder(prefix: "positiond-stage-")
    self.reservation = try TCPReservation()
  }

  var gpsdPort: UInt16 { self.reservation.port }

  private var configurationFile: String { self.folder.file("positiond.conf") }

  /// Where the receiver's device is, whatever pseudoterminal it has.
  var device: String { self.folder.file("receiver") }

  func enter(on loop: EventLoop) throws {
    self.loop = loop
    if let recording = self.play.recording {
      let player = ReplayPlayer(recording.log, pace: recording.pace, on: loop, link: self.device)
      player.finished = { [unowned self] in self.isPlayed = true }
      self.player = player
      try player.start()
    } else {
      let receiver = SimulatedReceiver(settings: self.play.receiver, on: loop, link: self.device)
      self.receiver = receiver
      if self.play.isPlugged { try receiver.start() }
    }
    try self.startGpsd()
    try File.write(Array(self.configuration.utf8), to: self.configurationFile)
    try self.startDaemon()
  }

  func leave() throws {
    self.receiver?.stop()
    self.receiver = nil
    self.player?.stop()
    self.player = nil
    self.clients = []
    self.gpsd = nil
    self.daemon = nil
    try self.folder.remove()
  }

  func startGpsd() throws {
    guard let loop = self.loop else { return }
    self.gpsd = try GpsdProcess(
      devices: self.play.isPlugged ? [self.device] : [], folder: self.folder.path, on: loop, port: self.reservation,
      arguments: self.play.gpsdArguments)
  }

  /// Kills gpsd and waits for its end: the object does on its own end.
  func killGpsd() { self.gpsd = nil }

  /// What udev does when a receiver comes or goes.
  func tellGpsd(_ text: String) throws {
    let socket = try UnixSocket.connect(path: self.folder.file("gpsd.sock"))
    _ = try socket.write(Array("\(text)\r\n".utf8)[...])
    socket.close()
  }

  func startDaemon() throws {
    guard let loop = self.loop else { return }
    let log = self.folder.file("positiond.log")
    self.daemonExit = nil
    self.daemon = try Subprocess(
      Command(Programs.path("positiond"), ["--config", self.configurationFile]), on: loop, output: .file(log),
      errors: .file(log)
    ) { [unowned self] exit in self.daemonExit = exit }
  }

  /// Kills the daemon at a moment that nothing else decides.
  func killDaemon(after delay: Duration) throws {
    guard let loop = self.loop, let daemon = self.daemon else { return }
    let timer = try loop.timer(accuracy: .milliseconds(1)) { daemon.send(SIGKILL) }
    timer.arm(at: loop.now + delay)
    self.killer = timer
  }

  /// Asks the daemon to stop, as systemd does.
  /// The administrator writes other further lines, and has the daemon read them.
  func reloadDaemon(with configuration: [String]) throws {
    self.play.configuration = configuration
    _ = unsafe unlink(self.configurationFile)
    try File.write(Array(self.configuration.utf8), to: self.configurationFile)
    self.daemon?.send(SIGHUP)
  }

  func stopDaemon() { self.daemon?.send(SIGTERM) }

  /// Kills the daemon and waits for its end: the object does on its own end.
  func killDaemon() { self.daemon = nil }

  /// Starts a client of its own process that streams, and returns its number.
  func startOtherClient() throws -> pid_t {
    guard let loop = self.loop else { return 0 }
    let client = try Subprocess(
      Command(Programs.path("positionctl"), ["--socket", self.folder.file("positiond.sock"), "watch"]), on: loop,
      output: .discarded, errors: .discarded, exited: { _ in })
    self.clients.append(client)
    return client.pid
  }

  /// Kills a client without a chance to say goodbye.
  func killClients() {
    for client in self.clients { client.send(SIGKILL) }
  }

  private var configuration: String {
    var lines: [String: [String]] = [
      "server": ["socket=\(self.folder.file("positiond.sock"))"],
      "gpsd": ["host=127.0.0.1", "port=\(self.gpsdPort)"],
      "receiver": ["linger=\(self.play.linger)"],
      "store": ["path=\(self.folder.file("positiond.db"))"],
    ]
    // What is played is for everybody, unless the play is about permission.
    if !self.play.configuration.contains(where: { $0.hasPrefix("authorization.default=") }) {
      lines["authorization"] = ["default=allow"]
    }
    for line in self.play.configuration {
      guard let dot = line.firstIndex(of: ".") else { continue }
      lines[String(line[..<dot]), default: []].append(String(line[line.index(after: dot)...]))
    }
    return lines.map { "[\($0.key)]\n" + $0.value.joined(separator: "\n") + "\n" }.joined()
  }
}

/// The programs that were built with the tests.
enum Programs {
  static func path(_ name: String) -> String {
    guard let folder = File.ownFolder() else { return name }
    return "\(folder)/\(name)"
  }
}
