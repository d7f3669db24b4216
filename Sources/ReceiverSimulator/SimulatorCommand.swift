package import ProgramArguments

/// A command of positionsim.
package enum SimulatorCommand: Hashable, Sendable {
  case receive(Receive)
  case replay(Replay)
  case sandbox(SandboxRun)
  /// Print these lines and end with success.
  case help([String])

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

  /// Reads the command line, without the program's name. `readFile` gives a route file's text.
  package static func parse(
    _ words: [String], readFile: (String) throws(UsageError) -> String
  ) throws(UsageError) -> SimulatorCommand {
    let name = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    let descriptions = [self.receiveDescription, self.replayDescription, self.sandboxDescription]
    guard let description = descriptions.first(where: { $0.name == name ?? "" }) else {
      throw UsageError("\"\(name ?? "")\" is no command; expected options, replay or sandbox")
    }
    do throws(UsageError) {
      return try self.parse(words.dropFirst(name == nil ? 0 : 1), of: description, readFile: readFile)
    } catch {
      throw error.of(description.name)
    }
  }

  private static func parse(
    _ words: ArraySlice<String>, of description: CommandDescription, readFile: (String) throws(UsageError) -> String
  ) throws(UsageError) -> SimulatorCommand {
    let arguments = try Arguments(words, of: description)
    if arguments.has(StandardOptions.help) { return .help(HelpText.lines(description)) }
    let isJSON = arguments.has(self.json)
    switch description.name {
    case self.replayDescription.name:
      return .replay(
        Replay(
          log: arguments.operands[0], pace: self.pace(arguments), link: arguments[self.link], isJSON: isJSON))
    case self.sandboxDescription.name:
      return .sandbox(
        SandboxRun(
          settings: try ReceiverOptions.settings(arguments, readFile: readFile), positiond: arguments[self.positiond],
          configuration: self.configuration(arguments), isJSON: isJSON, time: arguments[self.seconds]))
    default:
      return .receive(
        Receive(
          settings: try ReceiverOptions.settings(arguments, readFile: readFile), link: arguments[self.link],
          isJSON: isJSON, time: arguments[self.seconds]))
    }
  }

  private static func pace(_ arguments: Arguments) -> ReplayPace {
    switch arguments[self.speed] ?? .times(1) {
    case .max: .reader
    case .times(let factor): .line(speed: arguments[self.baud] ?? 9600, factor: factor)
    }
  }

  /// Of lines with the same key the last counts; `--linger` stands before all.
  private static func configuration(_ arguments: Arguments) -> [Sandbox.ConfigurationLine] {
    let linger = arguments[self.linger].map { Sandbox.ConfigurationLine(section: "receiver", key: "linger", value: $0) }
    return ((linger.map { [$0] } ?? []) + arguments.all(self.set)).withoutRepetition
  }
}

/// The options of each command: the command line is read by them, and the help is made from them.
extension SimulatorCommand {
  /// The speed of a replay in relation to that of the recorded line.
  enum Speed: Sendable {
    case times(Double)
    case max
  }

  static let json = Option(flag: "json", "one JSON text a line in place of words")
  static let seconds = Option("seconds", .seconds, "end after so long")
  static let link = Option("link", .path, "symbolic link to the device, that stays the same")
  static let speed = Option("speed", .speed, "N times the speed of the line, or max: as fast as it is read (default 1)")
  static let baud = Option(
    "baud", .whole("BPS", in: 300...4_000_000), "speed of the line that it was recorded from (default 9600)")
  static let positiond = Option("positiond", .path, "the positiond to run (default: beside positionsim)")
  static let linger = Option("linger", .name("TIME"), "how long the receiver stays on after the last need")
  static let set = Option("set", .configurationLine, "a line of positiond's configuration; can be given again")

  private static let common: [any CommandOption] = [Self.json, StandardOptions.help]

  static let receiveDescription = CommandDescription(
    program: "positionsim", summary: "a simulated GNSS receiver",
    explanation: [
      "Prints the path of its device. The receiver is on while somebody has that open, and needs its time to a fix "
        + "after being off.",
      "\"positionsim replay\" plays a recorded log; \"positionsim sandbox\" runs a receiver, a gpsd and a positiond in a "
        + "temporary folder. Each has a --help of its own.",
    ],
    options: ReceiverOptions.all + [Self.link, Self.seconds], commonOptions: Self.common,
    examples: [
      "positionsim --route circle:48.1,11.5,2000,10 --rate 10 --start hot":
        "10 m/s around a circle of 2 km, ten fixes a second",
      "positionsim --driver ublox --keeps-running --fault nosky@60s+30s --link /tmp/gps0":
        "a u-blox that loses the sky for 30 s after a minute",
      "positionsim --route walk.gpx --noise 3 --fault corrupt=0.01 --fault unplug@5min+20s":
        "a walk with bad reception, and unplugged after 5 minutes",
      "gpsd -N -n /tmp/gps0": "a gpsd that reads the device linked to above",
    ])

  static let replayDescription = CommandDescription(
    program: "positionsim", name: "replay", summary: "play a recorded receiver log",
    explanation: [
      "Plays a receiver's log to whoever opens the device, from the moment it is opened. Lines that begin with # are "
        + "comments. It ends when the log does and the reader has had time to take it."
    ],
    operands: [.init(name: "LOG", .required)], options: [Self.speed, Self.baud, Self.link],
    commonOptions: Self.common,
    examples: [
      "positionsim replay puck.log --speed 10 --link /tmp/gps0": "ten times as fast as it was recorded"
    ])

  static let sandboxDescription = CommandDescription(
    program: "positionsim", name: "sandbox", summary: "run a receiver, a gpsd and a positiond",
    explanation: [
      "Starts a simulated receiver, a gpsd and a positiond in a temporary folder, as an ordinary user, and prints "
        + "positiond's socket. On SIGINT or SIGTERM, or when one of them ends, all end and the folder goes.",
      "gpsd is notified of a receiver that is unplugged and plugged in again, as udev does for a real one.",
    ],
    options: ReceiverOptions.all + [Self.positiond, Self.linger, Self.set, Self.seconds], commonOptions: Self.common,
    examples: [
      "positionsim sandbox --start ready --rate 5": "five fixes a second from the beginning",
      "POSITIOND_SOCKET=(the socket it printed) positionctl get": "asks that positiond",
    ])
}

extension ValueKind where Value == SimulatorCommand.Speed {
  static let speed = ValueKind(placeholder: "N", expectation: "a number from 0.01 to 10000, or max") { text in
    if text == "max" { return .max }
    return Double(text).flatMap { (0.01...10_000).contains($0) ? .times($0) : nil }
  }
}
