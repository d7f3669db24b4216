import EventLoop
import FoundationEssentials
import Glibc
import Positioning
import Printable
import ProgramArguments
import ReceiverSimulator

/// The program: reads the command line, and runs what it describes until the user or its time ends that.
@main struct Main {
  /// The reader's time to read the rest of a log before the device is removed.
  private static let timeForRest = Duration.seconds(2)

  static func main() {
    StandardStreams.prepare()
    do throws(UsageError) {
      let command = try SimulatorCommand.parse(Array(CommandLine.arguments.dropFirst()), readFile: Self.readText)
      exit(Self.run(command))
    } catch {
      Console.error(error.message)
      exit(2)
    }
  }

  private static func readText(_ path: String) throws(UsageError) -> String {
    do throws(SystemError) {
      return String(decoding: try File.read(path), as: UTF8.self)
    } catch {
      throw UsageError("\(error)")
    }
  }

  private static func run(_ command: SimulatorCommand) -> Int32 {
    do {
      switch command {
      case .help(let lines):
        try Console.write(lines.map { "\($0)\n" }.joined())
        return 0
      case .receive(let command): return try self.receive(command, on: EventLoop())
      case .replay(let command): return try self.replay(command, on: EventLoop())
      case .sandbox(let command): return try self.runSandbox(command, on: EventLoop())
      }
    } catch {
      Console.error("\(error)")
      return 1
    }
  }

  /// Serves the loop until it is stopped.
  ///
  /// - Parameter end: Called when the user, or the time, asks for the end.
  private static func serve(_ loop: EventLoop, for time: Duration? = nil, end: @escaping () -> Void) throws -> Int32 {
    let signals = try [SIGINT, SIGTERM].map { try loop.onSignal($0, handler: end) }
    let timer = try loop.timer(accuracy: .milliseconds(10), handler: end)
    if let time { timer.arm(at: loop.now + time) }
    defer { withExtendedLifetime((signals, timer)) {} }
    return try loop.run()
  }

  /// `positionsim`
  private static func receive(_ command: SimulatorCommand.Receive, on loop: EventLoop) throws -> Int32 {
    let receiver = SimulatedReceiver(settings: command.settings, on: loop, link: command.link)
    receiver.failed = { error in
      Console.error("\(error)")
      loop.stop(code: 1)
    }
    try receiver.start()
    defer { receiver.stop() }
    if let path = receiver.path { try Console.show([("device", path)], isJSON: command.isJSON) }
    return try self.serve(loop, for: command.time) { loop.stop() }
  }

  /// `positionsim replay`
  private static func replay(_ command: SimulatorCommand.Replay, on loop: EventLoop) throws -> Int32 {
    let player = ReplayPlayer(ReplayLog(try File.read(command.log)), pace: command.pace, on: loop, link: command.link)
    let end = try loop.timer(accuracy: .milliseconds(10)) { loop.stop() }
    player.finished = { end.arm(at: loop.now + self.timeForRest) }
    player.failed = { error in
      Console.error("\(error)")
      loop.stop(code: 1)
    }
    try player.start()
    defer { player.stop() }
    if let path = player.path { try Console.show([("device", path)], isJSON: command.isJSON) }
    return try self.serve(loop) { loop.stop() }
  }

  /// `positionsim sandbox`
  private static func runSandbox(_ command: SimulatorCommand.SandboxRun, on loop: EventLoop) throws -> Int32 {
    guard let positiond = command.positiond ?? OwnProgram.folder().map({ "\($0)/positiond" }),
      File.isExecutable(positiond)
    else {
      Console.error("no positiond beside this program; --positiond PATH says where it is")
      return 1
    }
    let sandbox = try Sandbox(
      settings: .init(
        source: .simulated(command.settings), positiond: positiond, configuration: command.configuration),
      on: loop)
    let isJSON = command.isJSON
    // Nobody can use a sandbox whose places could not be written.
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
    return try self.serve(loop, for: command.time) { sandbox.stop() }
  }
}

/// What the user reads.
enum Console {
  /// Text on standard output, at once: a script waits for it. A reader that is gone has read what it wanted.
  ///
  /// - Throws: If the text is lost.
  static func write(_ text: String) throws(SystemError) {
    do throws(SystemError) {
      try StandardStreams.write(text, to: STDOUT_FILENO)
    } catch {
      guard error.code == EPIPE else { throw error }
    }
  }

  /// Values on standard output: as JSON on one line, or each as `key value` on its own.
  static func show(_ values: [(key: String, value: String)], isJSON: Bool) throws(SystemError) {
    guard isJSON else { return try self.write(values.map { "\($0.key) \($0.value)".printable + "\n" }.joined()) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(Dictionary(values.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    } catch {
      preconditionFailure("a dictionary of strings can be encoded: \(error)")
    }
    try self.write(String(decoding: data, as: UTF8.self).printableJSON + "\n")
  }

  static func error(_ message: String) {
    // A failure to write an error cannot be reported.
    do throws(SystemError) {
      try StandardStreams.write("positionsim: \(message.printable)\n", to: STDERR_FILENO)
    } catch {}
  }
}
