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
    Assignment(
      Option(flag: "forgets", "as a u-blox that knows nothing after a loss of power, and takes assistance"),
      \.receiver.forgetsWithoutPower),
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

extension ValueKind where Value == Double {
  static func number(_ placeholder: String, in range: ClosedRange<Double>) -> ValueKind {
    ValueKind(placeholder: placeholder, expectation: "a number from \(range.lowerBound) to \(range.upperBound)") {
      Double($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueKind where Value == Int {
  static func whole(_ placeholder: String, in range: ClosedRange<Int>) -> ValueKind {
    ValueKind(placeholder: placeholder, expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      Int($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueKind where Value == UInt64 {
  static let seed = ValueKind(placeholder: "N", expectation: "a whole number from 0") { UInt64($0) }
}

extension ValueKind where Value == Duration {
  /// Not before the present time.
  static let time = ValueKind(placeholder: "TIME", expectation: "a duration from 0, such as 10s, 500ms, 5min or 2h") {
    (text) throws(UsageError) in
    let time = try Specification.duration(text, name: "TIME")
    return time >= .zero ? time : nil
  }

  static let seconds = ValueKind(placeholder: "N", expectation: "seconds from 0.1 to 31536000") { text in
    Double(text).flatMap { (0.1...31_536_000).contains($0) ? .seconds($0) : nil }
  }

  /// The number of epochs in a second, converted to the time between two.
  static let epochsPerSecond = ValueKind(
    placeholder: "HZ",
    expectation: "epochs a second that fall on round times: 0.1, 0.2, 0.5, 1, 2, 4, 5, 8, 10, 20 or 25"
  ) { text in
    guard let rate = Double(text), (0.1...25).contains(rate) else { return nil }
    let milliseconds = (1000 / rate).rounded()
    // The period must divide a second, or a minute if it is longer than a second.
    let frame = milliseconds <= 1000 ? 1000.0 : 60_000.0
    guard abs(1000 / rate - milliseconds) < 1e-6, frame.truncatingRemainder(dividingBy: milliseconds) == 0 else {
      return nil
    }
    return .milliseconds(Int64(milliseconds))
  }
}

extension ValueKind where Value == TimeToFirstFix {
  static let startTimes = ValueKind(
    placeholder: "HOT,WARM,COLD", expectation: "three numbers of seconds from 0 to 86400: HOT,WARM,COLD"
  ) { text in
    let times = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
    guard times.count == 3, times.allSatisfy((0...86_400).contains) else { return nil }
    return TimeToFirstFix(hot: .seconds(times[0]), warm: .seconds(times[1]), cold: .seconds(times[2]))
  }
}

extension ValueKind where Value == Fault {
  static let fault = ValueKind(placeholder: "FAULT", expectation: Fault.forms) { (text) throws(UsageError) in
    try Fault(parsing: text)
  }
}

extension ValueKind where Value == Sandbox.ConfigurationLine {
  static let configurationLine = ValueKind(
    placeholder: "SECTION.KEY=VALUE", expectation: "SECTION.KEY=VALUE, such as fix.max-speed=100"
  ) { Sandbox.ConfigurationLine($0) }
}

/// Reads the numbers in a specification, with errors that name the part.
enum Specification {
  /// A finite number within `range`.
  static func number(
    _ text: some StringProtocol, name: String, in range: ClosedRange<Double>, of whole: String
  ) throws(UsageError) -> Double {
    guard let number = Double(String(text)), number.isFinite else {
      throw UsageError("\(whole): \(name) is \"\(text)\", not a number")
    }
    guard range.contains(number) else {
      throw UsageError(
        "\(whole): \(name) is \(text), outside \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A duration: `10`, `10s`, `500ms`, `5min`, `2h`.
  ///
  /// - Parameter whole: The specification that it is part of; empty if it is alone.
  static func duration(
    _ text: some StringProtocol, name: String, of whole: String? = nil
  ) throws(UsageError) -> Duration {
    let units: [(suffix: String, seconds: Double)] = [
      ("ms", 0.001), ("min", 60), ("weeks", 604_800), ("s", 1), ("h", 3600), ("", 1),
    ]
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let number = Double(String(text.dropLast(unit.suffix.count))), number.isFinite, abs(number) < 1e9 else {
        continue
      }
      return .milliseconds(Int64((number * unit.seconds * 1000).rounded()))
    }
    let place = whole.map { "\($0): " } ?? ""
    throw UsageError("\(place)\(name) is \"\(text)\"; expected a duration such as 10s, 500ms, 5min or 2h")
  }
}
