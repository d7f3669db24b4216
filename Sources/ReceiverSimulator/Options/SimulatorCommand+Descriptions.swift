import ProgramArguments

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
      .init(
        line: "positionsim --route circle:48.1,11.5,2000,10 --rate 10 --start hot",
        meaning: "10 m/s around a circle of 2 km, ten fixes a second"),
      .init(
        line: "positionsim --driver ublox --keeps-running --fault nosky@60s+30s --link /tmp/gps0",
        meaning: "a u-blox that loses the sky for 30 s after a minute"),
      .init(
        line: "positionsim --route walk.gpx --noise 3 --fault corrupt=0.01 --fault unplug@5min+20s",
        meaning: "a walk with bad reception, and unplugged after 5 minutes"),
      .init(line: "gpsd -N -n /tmp/gps0", meaning: "a gpsd that reads the device linked to above"),
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
      .init(
        line: "positionsim replay puck.log --speed 10 --link /tmp/gps0", meaning: "ten times as fast as it was recorded"
      )
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
      .init(line: "positionsim sandbox --start ready --rate 5", meaning: "five fixes a second from the beginning"),
      .init(line: "POSITIOND_SOCKET=(the socket it printed) positionctl get", meaning: "asks that positiond"),
    ])
}

extension ValueKind where Value == SimulatorCommand.Speed {
  static let speed = ValueKind(placeholder: "N", expectation: "a number from 0.01 to 10000, or max") { text in
    if text == "max" { return .max }
    return Double(text).flatMap { (0.01...10_000).contains($0) ? .times($0) : nil }
  }
}
