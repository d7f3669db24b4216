import EventLoop
import Glibc
import Positioning
import ReceiverSimulator

/// What every command's run has: a loop, its end by signal, and its end by time.
final class Session {
  let loop: EventLoop
  private var signals: [ProcessWatch] = []
  private var timer: LoopTimer?

  init() throws {
    self.loop = try EventLoop()
  }

  /// Serves the loop until it is stopped. `asked` is called when the user, or the time, asks for the end.
  func run(for time: Duration?, asked: @escaping () -> Void) throws -> Int32 {
    self.signals = try [SIGINT, SIGTERM].map { try self.loop.onSignal($0, handler: asked) }
    if let time {
      let timer = try self.loop.timer(accuracy: .milliseconds(10), handler: asked)
      timer.arm(at: self.loop.now + time)
      self.timer = timer
    }
    return try self.loop.run()
  }
}

/// `positionsim`
struct ReceiverRun {
  private let command: SimulatorCommand.Receive

  init(_ command: SimulatorCommand.Receive) {
    self.command = command
  }

  func run() throws -> Int32 {
    let session = try Session()
    let loop = session.loop
    let receiver = SimulatedReceiver(settings: self.command.settings, on: loop, link: self.command.link)
    receiver.failed = { error in
      Console.error("\(error)")
      loop.stop(code: 1)
    }
    try receiver.start()
    defer { receiver.stop() }
    if let path = receiver.path { try Console.show([("device", path)], isJSON: self.command.isJSON) }
    return try session.run(for: self.command.time) { loop.stop() }
  }
}

/// `positionsim replay`
struct ReplayRun {
  /// Time for the reader to read the rest before the device is removed.
  private static let grace = Duration.seconds(2)

  private let command: SimulatorCommand.Replay

  init(_ command: SimulatorCommand.Replay) {
    self.command = command
  }

  func run() throws -> Int32 {
    let session = try Session()
    let loop = session.loop
    let player = ReplayPlayer(
      ReplayLog(try File.read(self.command.log)), pace: self.command.pace, on: loop, link: self.command.link)
    let end = try loop.timer(accuracy: .milliseconds(10)) { loop.stop() }
    player.finished = { end.arm(at: loop.now + Self.grace) }
    player.failed = { error in
      Console.error("\(error)")
      loop.stop(code: 1)
    }
    try player.start()
    defer { player.stop() }
    if let path = player.path { try Console.show([("device", path)], isJSON: self.command.isJSON) }
    return try session.run(for: nil) { loop.stop() }
  }
}

/// `positionsim sandbox`
struct SandboxSession {
  private let command: SimulatorCommand.SandboxRun

  init(_ command: SimulatorCommand.SandboxRun) {
    self.command = command
  }

  func run() throws -> Int32 {
    guard let positiond = self.command.positiond ?? OwnProgram.folder().map({ "\($0)/positiond" }),
      File.isExecutable(positiond)
    else {
      Console.error("no positiond beside this program; --positiond PATH says where it is")
      return 1
    }
    let session = try Session()
    let loop = session.loop
    let sandbox = try Sandbox(
      settings: .init(
        source: .simulated(self.command.settings), positiond: positiond, configuration: self.command.configuration),
      on: loop)
    let isJSON = self.command.isJSON
    // Without its places nobody can use it.
    var loss: SystemError?
    sandbox.ready = { places in
      do throws(SystemError) {
        try Console.show(
          [
            ("socket", places.socket), ("device", places.device), ("gpsd", "127.0.0.1:\(places.gpsdPort)"),
            ("folder", places.folder),
          ], isJSON: isJSON)
        if !isJSON { try Console.write("Ready: POSITIOND_SOCKET=\(places.socket) positionctl get. Ctrl-C ends it.\n") }
      } catch {
        loss = error
        sandbox.stop()
      }
    }
    sandbox.ended = { failure in
      let reason = failure ?? loss.map { "\($0)" }
      if let reason { Console.error(reason) }
      loop.stop(code: reason == nil ? 0 : 1)
    }
    try sandbox.start()
    return try session.run(for: self.command.time) { sandbox.stop() }
  }
}
