/// The options that describe the simulated receiver, shared by all commands that have one.
struct ReceiverOptions {
  /// Reads a file's text, for a route.
  typealias ReadFile = (String) throws(SpecificationError) -> String

  static let table: [OptionTable.Option] = [
    .init("route", .required("ROUTE"), Route.forms),
    .init("rate", .required("HZ"), "epochs a second: 0.1 to 25 (default 1)"),
    .init("driver", .required("KIND"), "nmea, ublox or mtk (default nmea)"),
    .init("start", .required("CLASS"), "ready, hot, warm or cold: the first start (default cold)"),
    .init("ttff", .required("HOT,WARM,COLD"), "seconds to the first fix by class (default 1,27,30)"),
    .init("keeps-running", .none, "run while nobody has the device open, as USB pucks do"),
    .init("boot", .required("TIME"), "silence after power on (default 0s)"),
    .init("heading", .optional("SENTENCE"), "have a compass; hdt, hdg, pashr or tnthtm (default hdt)"),
    .init("quality", .required("KIND"), FixQuality.allCases.map(\.rawValue).joined(separator: ", ")),
    .init("decimals", .required("N"), "digits of NMEA's minutes: 2 to 8 (default 7)"),
    .init("gst", .none, "send standard deviations too (GST)"),
    .init("noise", .required("METRES"), "wandering error of the position (default 0)"),
    .init("seed", .required("N"), "of everything random (default 1)"),
    .init("fault", .required("FAULT"), "\(Fault.forms); can be given again"),
    .init("link", .required("PATH"), "symbolic link to the device, that stays the same"),
  ]

  var settings = Simulation.Settings()
  var link: String?

  /// Takes one option of the table; `false` if it is none of them.
  mutating func take(_ name: String, _ value: String?, readFile: ReadFile) throws(SpecificationError) -> Bool {
    let text = value ?? ""
    let option = "--\(name)"
    switch name {
    case "route": self.settings.route = try Self.route(text, readFile: readFile)
    case "rate": self.settings.period = try Self.period(text)
    case "driver": self.settings.receiver.kind = try Self.choice(text, of: option)
    case "start": self.settings.receiver.firstStart = try Self.choice(text, of: option)
    case "ttff": try self.setTimeToFirstFix(text)
    case "keeps-running": self.settings.receiver.keepsRunning = true
    case "boot":
      let boot = try Specification.duration(text, name: "TIME", of: option)
      guard boot >= .zero else { throw SpecificationError("--boot: TIME is \(text), less than 0") }
      self.settings.receiver.boot = boot
    case "heading":
      self.settings.hasCompass = true
      if let value { self.settings.nmea.headingSentence = try Self.choice(value, of: option) }
    case "quality": self.settings.quality = try Self.choice(text, of: option)
    case "decimals":
      self.settings.nmea.decimals = Int(try Specification.number(text, name: "N", in: 2...8, of: option))
    case "gst": self.settings.nmea.includesErrorEstimate = true
    case "noise":
      self.settings.errors.noise = try Specification.number(text, name: "METRES", in: 0...10_000, of: option)
    case "seed":
      guard let seed = UInt64(text) else { throw SpecificationError("--seed: \"\(text)\" is not a whole number") }
      self.settings.errors.seed = seed
    case "fault": self.settings.faults.append(try Fault(parsing: text))
    case "link": self.link = text
    default: return false
    }
    return true
  }

  private static func route(_ text: String, readFile: ReadFile) throws(SpecificationError) -> Route {
    // A path may hold a colon; the kinds of route end with their first.
    text.hasSuffix(".gpx") ? .track(try Track(gpx: try readFile(text), name: text)) : try Route(parsing: text)
  }

  private static func period(_ text: String) throws(SpecificationError) -> Duration {
    let rate = try Specification.number(text, name: "HZ", in: 0.1...25, of: "--rate")
    let milliseconds = (1000 / rate).rounded()
    // Epochs on round times: the period must fit into a second, or into a minute if it is longer.
    let frame = milliseconds <= 1000 ? 1000.0 : 60_000.0
    guard abs(1000 / rate - milliseconds) < 1e-6, frame.truncatingRemainder(dividingBy: milliseconds) == 0 else {
      throw SpecificationError(
        "--rate: \(text) epochs a second do not fall on round times; expected 0.1, 0.2, 0.5, 1, 2, 4, 5, 8, 10, 20 or 25"
      )
    }
    return .milliseconds(Int64(milliseconds))
  }

  private mutating func setTimeToFirstFix(_ text: String) throws(SpecificationError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw SpecificationError("--ttff: \"\(text)\" has \(parts.count) parts; expected three seconds: HOT,WARM,COLD")
    }
    func seconds(_ index: Int, _ name: String) throws(SpecificationError) -> Duration {
      .seconds(try Specification.number(parts[index], name: name, in: 0...86_400, of: "--ttff"))
    }
    self.settings.receiver.timeToFirstFix.hot = try seconds(0, "HOT")
    self.settings.receiver.timeToFirstFix.warm = try seconds(1, "WARM")
    self.settings.receiver.timeToFirstFix.cold = try seconds(2, "COLD")
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable>(_ text: String, of option: String)
    throws(SpecificationError) -> Choice
  {
    guard let choice = Choice(rawValue: text) else {
      let expected = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw SpecificationError("\(option): \"\(text)\" is none of \(expected)")
    }
    return choice
  }
}
