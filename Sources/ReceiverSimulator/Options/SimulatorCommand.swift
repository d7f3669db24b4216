/// What positionsim was asked to do.
package enum SimulatorCommand: Hashable, Sendable {
  case receive(Receive)
  case replay(Replay)
  case sandbox(SandboxRun)
  /// Print this text and end well.
  case help(String)

  /// Run a receiver.
  package struct Receive: Hashable, Sendable {
    package var settings: Simulation.Settings
    package var link: String?
    package var isJSON: Bool
    /// `nil`: until it is stopped.
    package var time: Duration?
  }

  /// Play a log.
  package struct Replay: Hashable, Sendable {
    package var log: String
    package var pace: ReplayPace
    package var link: String?
    package var isJSON: Bool
  }

  /// Run a receiver, a gpsd and a positiond.
  package struct SandboxRun: Hashable, Sendable {
    package var settings: Simulation.Settings
    /// `nil`: the one beside positionsim.
    package var positiond: String?
    package var configuration: [Sandbox.ConfigurationLine]
    package var isJSON: Bool
    package var time: Duration?
  }

  private static let common: [OptionTable.Option] = [
    .init("json", .none, "one JSON text a line in place of words"),
    .init("help", .none, "this text"),
  ]
  private static let timed = OptionTable.Option("seconds", .required("N"), "end after so long")

  /// Reads the command line, without the program's name. `readFile` gives a route file's text.
  package static func parse(
    _ arguments: [String], readFile: (String) throws(SpecificationError) -> String
  ) throws(SpecificationError) -> SimulatorCommand {
    switch arguments.first {
    case "replay": try Self.parseReplay(Array(arguments.dropFirst()))
    case "sandbox": try Self.parseSandbox(Array(arguments.dropFirst()), readFile: readFile)
    default: try Self.parseReceive(arguments, readFile: readFile)
    }
  }

  private static func parseReceive(
    _ arguments: [String], readFile: ReceiverOptions.ReadFile
  ) throws(SpecificationError) -> SimulatorCommand {
    let table = OptionTable(options: ReceiverOptions.table + [Self.timed] + Self.common)
    var receiver = ReceiverOptions()
    var isJSON = false
    var time: Duration?
    for argument in try table.read(arguments) {
      switch argument {
      case .operand(let word):
        throw SpecificationError("\"\(word)\" is no command; expected options, replay or sandbox")
      case .option("help", _): return .help(Self.receiveHelp + table.help + Self.receiveExamples)
      case .option("json", _): isJSON = true
      case .option("seconds", let value): time = try Self.seconds(value)
      case .option(let name, let value): _ = try receiver.take(name, value, readFile: readFile)
      }
    }
    return .receive(Receive(settings: receiver.settings, link: receiver.link, isJSON: isJSON, time: time))
  }

  private static func parseReplay(_ arguments: [String]) throws(SpecificationError) -> SimulatorCommand {
    let table = OptionTable(
      options: [
        .init("speed", .required("N"), "N times the speed of the line, or max: as fast as it is read (default 1)"),
        .init("baud", .required("BPS"), "speed of the line that it was recorded from (default 9600)"),
        .init("link", .required("PATH"), "symbolic link to the device"),
      ] + Self.common)
    var logs: [String] = []
    var factor: Double? = 1
    var baud = 9600.0
    var link: String?
    var isJSON = false
    for argument in try table.read(arguments) {
      switch argument {
      case .operand(let path): logs.append(path)
      case .option("help", _): return .help(Self.replayHelp + table.help)
      case .option("json", _): isJSON = true
      case .option("speed", "max"): factor = nil
      case .option("speed", let value):
        factor = try Specification.number(value ?? "", name: "N", in: 0.01...10_000, of: "--speed")
      case .option("baud", let value):
        baud = try Specification.number(value ?? "", name: "BPS", in: 300...4_000_000, of: "--baud")
      case .option("link", let value): link = value
      case .option: break
      }
    }
    guard logs.count == 1 else {
      throw SpecificationError("replay takes one log, and \(logs.count) are given: positionsim replay LOG [--speed N]")
    }
    let pace = factor.map { ReplayPace.line(speed: Int(baud), factor: $0) } ?? .reader
    return .replay(Replay(log: logs[0], pace: pace, link: link, isJSON: isJSON))
  }

  private static func parseSandbox(
    _ arguments: [String], readFile: ReceiverOptions.ReadFile
  ) throws(SpecificationError) -> SimulatorCommand {
    let table = OptionTable(
      options: ReceiverOptions.table.filter { $0.name != "link" } + [
        .init("positiond", .required("PATH"), "the positiond to run (default: beside positionsim)"),
        .init("linger", .required("TIME"), "how long the receiver stays on after the last need"),
        .init("set", .required("SECTION.KEY=VALUE"), "a line of positiond's configuration; can be given again"),
        Self.timed,
      ] + Self.common)
    var receiver = ReceiverOptions()
    var run = SandboxRun(
      settings: receiver.settings, positiond: nil, configuration: [], isJSON: false)
    for argument in try table.read(arguments) {
      switch argument {
      case .operand(let word): throw SpecificationError("sandbox takes options only, and \"\(word)\" is none")
      case .option("help", _): return .help(Self.sandboxHelp + table.help)
      case .option("json", _): run.isJSON = true
      case .option("seconds", let value): run.time = try Self.seconds(value)
      case .option("positiond", let value): run.positiond = value
      case .option("linger", let value):
        run.configuration.append(.init(section: "receiver", key: "linger", value: value ?? ""))
      case .option("set", let value):
        let line = try Self.line(value ?? "")
        run.configuration.removeAll { $0.section == line.section && $0.key == line.key }
        run.configuration.append(line)
      case .option(let name, let value): _ = try receiver.take(name, value, readFile: readFile)
      }
    }
    run.settings = receiver.settings
    return .sandbox(run)
  }

  private static func seconds(_ value: String?) throws(SpecificationError) -> Duration {
    .seconds(try Specification.number(value ?? "", name: "N", in: 0.1...31_536_000, of: "--seconds"))
  }

  /// `SECTION.KEY=VALUE`; a section such as `rule me` may hold blanks.
  private static func line(_ text: String) throws(SpecificationError) -> Sandbox.ConfigurationLine {
    guard let equals = text.firstIndex(of: "="), let dot = text[..<equals].lastIndex(of: "."), dot > text.startIndex,
      text.index(after: dot) < equals, !text.contains(where: \.isNewline)
    else { throw SpecificationError("--set: \"\(text)\" is not SECTION.KEY=VALUE, such as fix.max-speed=100") }
    return Sandbox.ConfigurationLine(
      section: String(text[..<dot]), key: String(text[text.index(after: dot)..<equals]),
      value: String(text[text.index(after: equals)...]))
  }
}
