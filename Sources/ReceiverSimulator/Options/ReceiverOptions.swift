import ProgramArguments

/// The options that describe the simulated receiver, shared by all commands that have one.
enum ReceiverOptions {
  /// Reads a file's text, for a route.
  typealias ReadFile = (String) throws(UsageError) -> String

  /// An option, and the setting that it changes.
  private struct Assignment: Sendable {
    let option: any CommandOption
    let apply: @Sendable (Arguments, inout Simulation.Settings) -> Void

    init<Value>(
      _ option: Option<Value>, _ path: any WritableKeyPath<Simulation.Settings, Value> & Sendable
    ) {
      self.option = option
      self.apply = { arguments, settings in
        if let value = arguments[option] { settings[keyPath: path] = value }
      }
    }
  }

  private static let route = Option("route", .name("ROUTE"), Route.forms)
  private static let heading = Option(
    "heading", .choice("SENTENCE"), bare: NMEAEncoder.HeadingSentence.hdt,
    "have a compass; hdt, hdg, pashr or tnthtm (default hdt)")
  private static let fault = Option("fault", .fault, "\(Fault.forms); can be given again")

  private static let assignments = [
    Assignment(Option("rate", .epochsPerSecond, "epochs a second: 0.1 to 25 (default 1)"), \.period),
    Assignment(Option("driver", .choice("KIND"), "nmea, ublox or mtk (default nmea)"), \.receiver.kind),
    Assignment(
      Option("start", .choice("CLASS"), "ready, hot, warm or cold: the first start (default cold)"),
      \.receiver.firstStart),
    Assignment(
      Option("ttff", .startTimes, "seconds to the first fix by class (default 1,27,30)"), \.receiver.timeToFirstFix),
    Assignment(
      Option(flag: "keeps-running", "run while nobody has the device open, as USB pucks do"), \.receiver.keepsRunning),
    Assignment(Option("boot", .time, "silence after power on (default 0s)"), \.receiver.boot),
    Assignment(Self.heading, \.nmea.headingSentence),
    Assignment(
      Option("quality", .choice("KIND"), FixQuality.allCases.map(\.rawValue).joined(separator: ", ")), \.quality),
    Assignment(
      Option("decimals", .whole("N", in: 2...8), "digits of NMEA's minutes: 2 to 8 (default 7)"), \.nmea.decimals),
    Assignment(Option(flag: "gst", "send standard deviations too (GST)"), \.nmea.includesErrorEstimate),
    Assignment(
      Option("noise", .number("METRES", in: 0...10_000), "wandering error of the position (default 0)"), \.errors.noise),
    Assignment(Option("seed", .seed, "of everything random (default 1)"), \.errors.seed),
  ]

  /// In the order of the help text.
  static let all: [any CommandOption] = [Self.route] + Self.assignments.map(\.option) + [Self.fault]

  static func settings(_ arguments: Arguments, readFile: ReadFile) throws(UsageError) -> Simulation.Settings {
    var settings = Simulation.Settings()
    for assignment in Self.assignments { assignment.apply(arguments, &settings) }
    settings.hasCompass = arguments.has(Self.heading)
    settings.faults = arguments.all(Self.fault)
    if let text = arguments[Self.route] {
      // A path may have a colon; the kinds of route end with their first one.
      settings.route =
        text.hasSuffix(".gpx") ? .track(try Track(gpx: try readFile(text), name: text)) : try Route(parsing: text)
    }
    return settings
  }
}
