import History
import JSONRPC
import Notations
import PositionProtocol
import Positioning
import Printable
import ProgramArguments
import SQLite

/// `positionctl history at`: where the device was at a time.
struct HistoryAtCommand: HistoryCommand {
  static let interpolate = Option(
    flag: "interpolate", "also show the place on the even way between the two fixes, with how wrong it may be")

  static let description = CommandDescription(
    name: "history at", summary: "show where this device was at a time",
    explanation: [
      "Shows the last fix before the time and the first one after it, the stay if there was one, and why fixes are missing "
        + "there. Times are local, such as 14:00, \"yesterday 9:30\" or \"2h ago\". Nothing is computed between fixes unless --interpolate is given.",
      "The exit code is 1 if nothing is recorded.",
    ],
    operands: [.init(name: "TIME", .required)], options: [Self.interpolate],
    examples: [
      "positionctl history at 14:00": "the last time it was two o'clock",
      "positionctl history at 2026-01-31T14:00 --interpolate": "also between the fixes",
      "positionctl history at 2026-01-31T13:00:00Z --json": "for a script",
    ])

  private let text: String
  private let interpolates: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    self.text = arguments.operands[0]
    self.interpolates = arguments.has(Self.interpolate)
  }

  func run(_ file: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    let range = try context.range(self.text)
    let time = Timestamp(milliseconds: (range.lowerBound.milliseconds + range.upperBound.milliseconds) / 2)
    let found = try HistoryFailure.of { () throws(StoreError) in
      let moment = time...time
      return (
        around: try file.around(time), stay: try file.stays(in: moment).last, gap: try file.gaps(in: moment).last,
        names: RegionNames(try file.passages())
      )
    }
    guard found.around.before != nil || found.around.after != nil || found.stay != nil else {
      throw HistoryFailure("nothing is recorded")
    }
    var between: Interpolation?
    if self.interpolates, let before = found.around.before, let after = found.around.after {
      between = Interpolation(from: before, to: after, at: time)
    }
    var members: [String: JSONValue] = ["at": .string("\(time)")]
    members["before"] = found.around.before.map { context.json($0) }
    members["after"] = found.around.after.map { context.json($0) }
    members["stay"] = found.stay.map { context.json($0, found.names) }
    members["gap"] = found.gap.map { .string($0.cause.rawValue) }
    members["interpolated"] = between.map { between in
      .object([
        "latitude": .number(between.place.latitude), "longitude": .number(between.place.longitude),
        "uncertainty": .number(between.uncertainty),
      ])
    }
    context.print(
      JSONValue.object(members),
      self.lines(time, found.around, between, found.stay, found.gap, found.names, in: context))
    return .success
  }

  private func lines(
    _ time: Timestamp, _ around: (before: HistoryFix?, after: HistoryFix?), _ between: Interpolation?, _ stay: Stay?,
    _ gap: Gap?, _ names: RegionNames, in context: HistoryContext
  ) -> [Line] {
    var lines: [Line] = []
    let format = context.command.format
    if let stay {
      lines.append(Line("\(context.clock.text(time)): in a stay, \(context.text(stay, names))", .bold))
    } else {
      lines.append(Line("\(context.clock.text(time)):", .bold))
    }
    if let fix = around.before {
      let ago = TimeSpan.words((time - fix.time).seconds)
      lines.append("\(context.clock.text(fix.time)), \(ago) before: \(context.text(fix))")
    }
    if let between {
      let place = format.place(
        latitude: between.place.latitude, longitude: between.place.longitude, accuracy: between.uncertainty)
      lines.append("\(context.clock.text(time)), interpolated: \(place) \(format.accuracy(between.uncertainty))")
    } else if self.interpolates {
      lines.append("not interpolated: the way between the fixes is unknown")
    }
    if let fix = around.after {
      let later = TimeSpan.words((fix.time - time).seconds)
      lines.append("\(context.clock.text(fix.time)), \(later) after: \(context.text(fix))")
    }
    if let gap { lines.append("no fix then: \(gap.cause.text), \(context.span(gap.start, gap.end))") }
    return lines
  }
}

/// `positionctl history stays`: where the device stayed.
struct HistoryStaysCommand: HistoryCommand {
  static let description = CommandDescription(
    name: "history stays", summary: "list where this device stayed, from when to when",
    explanation: [
      "One line per stay, of the last seven days unless --from is given: its times, the region that was entered there, and "
        + "its middle. Where positiond reported none, stays of ten minutes and more are found in the fixes."
    ],
    options: [HistoryOptions.from, HistoryOptions.to],
    examples: [
      "positionctl history stays": "of the last seven days",
      "positionctl history stays --from 2026-01-01 --to 2026-01-31": "of a month",
    ])

  private let from: String?
  private let to: String?

  init(_ arguments: Arguments) throws(UsageError) {
    (self.from, self.to) = (arguments[HistoryOptions.from], arguments[HistoryOptions.to])
  }

  func run(_ file: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    let range = try context.range(self.from, self.to, days: 7)
    let (stays, names) = try HistoryFailure.of { () throws(StoreError) in
      (
        DayTimeline.all(try file.stays(in: range), and: try file.fixes(in: range)),
        RegionNames(try file.passages())
      )
    }
    if stays.isEmpty { context.command.note("no stays") }
    for stay in stays { context.print(context.json(stay, names), [Line(context.text(stay, names))]) }
    return .success
  }
}

/// `positionctl history near`: when the device was at a place.
struct HistoryNearCommand: HistoryCommand {
  static let description = CommandDescription(
    name: "history near", summary: "list when this device was near a place",
    explanation: ["One line per time, with its nearest distance. A pause of ten minutes begins another one."],
    operands: [.init(name: "PLACE,RADIUS", .required)], options: [HistoryOptions.from, HistoryOptions.to],
    examples: [
      "positionctl history near 48.137,11.575,200m": "at any time",
      "positionctl history near 8FWH4HPG+VC9,1km --from monday": "since Monday",
    ])

  private let circle: HistoryCircle
  private let from: String?
  private let to: String?

  init(_ arguments: Arguments) throws(UsageError) {
    self.circle = try ValueKind<HistoryCircle>.historyCircle.value(
      of: arguments.operands[0], option: "PLACE,RADIUS")
    (self.from, self.to) = (arguments[HistoryOptions.from], arguments[HistoryOptions.to])
  }

  func run(_ file: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    let range = try context.range(self.from, self.to)
    let times = try HistoryFailure.of { () throws(StoreError) in try file.nearness(to: self.circle, in: range) }
    if times.isEmpty { context.command.note("never, as far as it is recorded") }
    for time in times {
      context.print(
        JSONValue.object([
          "from": .string("\(time.from)"), "until": .string("\(time.until)"), "distance": .number(time.distance),
        ]),
        [Line("\(context.span(time.from, time.until)), nearest \(context.command.format.distance(time.distance))")])
    }
    return .success
  }
}

extension ValueKind where Value == HistoryCircle {
  static let historyCircle = ValueKind<JSONValue>.circle.map { value -> HistoryCircle in
    let number = { (name: String) -> Double in
      if case .number(let number)? = value[name] { number } else { 0 }
    }
    return HistoryCircle(
      centre: Coordinate(latitude: number("latitude"), longitude: number("longitude")), radius: number("radius"))
  }
}

/// `positionctl history day`: a day on one screen.
struct HistoryDayCommand: HistoryCommand {
  static let description = CommandDescription(
    name: "history day", summary: "show a day: stays, ways, and times without positions",
    explanation: [
      "One line each, in the order of time, with reasons where nothing is recorded. What does not fit on the terminal's screen "
        + "is left out, the shortest first."
    ],
    operands: [.init(name: "DATE", .optional)],
    examples: [
      "positionctl history day": "today",
      "positionctl history day yesterday": "the day before",
      "positionctl history day 2026-01-31 --json": "for a script",
    ])

  private let text: String

  init(_ arguments: Arguments) throws(UsageError) { self.text = arguments.operands.first ?? "today" }

  func run(_ file: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    let range = try context.day(self.text)
    let day = try HistoryFailure.of { () throws(StoreError) in try DayTimeline(range, of: file, now: context.now) }
    context.print(
      JSONValue.object([
        "from": .string("\(range.lowerBound)"), "until": .string("\(range.upperBound)"),
        "fixes": .integer(day.fixes), "distance": .number(day.distance),
        "entries": .array(day.entries.map { context.json($0) }),
      ]), self.lines(day, range, in: context))
    return .success
  }

  private func lines(_ day: DayTimeline, _ range: ClosedRange<Timestamp>, in context: HistoryContext) -> [Line] {
    let process = context.command.process
    // The title, the sum, what is left out, and the prompt.
    let room = process.output.isTerminal ? max(1, process.rows - 4) : .max
    let longest = day.entries.sorted { $0.until - $0.from > $1.until - $1.from }.prefix(room)
    let shown = day.entries.count <= room ? day.entries : longest.sorted { $0.from < $1.from }
    let left = day.entries.count - shown.count
    return [Line(context.clock.date(range.lowerBound), .bold)] + shown.map { context.line($0) }
      + (left > 0
        ? [Line("\(left.counted("short entry", "short entries")) left out; a higher window shows all", .dim)] : [])
      + [
        Line("\(day.fixes.counted("fix", "fixes")), \(context.command.format.distance(day.distance)) on the way")
      ]
  }
}

extension DayTimeline {
  init(_ range: ClosedRange<Timestamp>, of file: HistoryFile, now: Timestamp) throws(StoreError) {
    self.init(
      range, fixes: try file.fixes(in: range), stays: try file.stays(in: range), gaps: try file.gaps(in: range),
      passages: try file.passages(), now: now)
  }
}

/// The texts and the JSON of what is in a history.
extension HistoryContext {
  func day(_ text: String) throws(HistoryFailure) -> ClosedRange<Timestamp> {
    guard let day = self.clock.day(of: try self.range(text).lowerBound) else {
      throw HistoryFailure(TimeReader.message(text))
    }
    return day
  }

  /// The fix as one that arrived so long ago.
  private func fix(_ fix: HistoryFix) -> Fix {
    fix.fix(arrival: self.command.moment.now - (self.now - fix.time))
  }

  func text(_ fix: HistoryFix) -> String {
    FixFormat.line(self.fix(fix), level: nil, now: self.command.moment.now, in: self.command.format)
  }

  /// Such as `2026-01-31 12:10 to 18:04`.
  func span(_ from: Timestamp, _ until: Timestamp?) -> String {
    guard let until else { return "since \(self.clock.text(from))" }
    let sameDay = self.clock.date(from) == self.clock.date(until)
    return "\(self.clock.text(from)) to \(sameDay ? self.clock.timeOfDay(until) : self.clock.text(until))"
  }

  func text(_ stay: Stay, _ names: RegionNames) -> String {
    let format = self.command.format
    let place = format.place(
      latitude: stay.place.latitude, longitude: stay.place.longitude, accuracy: stay.accuracy)
    let name = names.name(of: stay).map { "\($0), " } ?? ""
    let time =
      switch (stay.arrival, stay.departure) {
      case (let arrival?, let departure): self.span(arrival, departure)
      case (nil, let departure?): "until \(self.clock.text(departure))"
      case (nil, nil): "at some time"
      }
    return "\(time): \(name)\(place) \(format.accuracy(stay.accuracy))"
  }

  func line(_ entry: DayTimeline.Entry) -> Line {
    let times =
      "\(self.clock.timeOfDay(entry.from, withSeconds: false))-\(self.clock.timeOfDay(entry.until, withSeconds: false))  "
    let format = self.command.format
    switch entry.content {
    case .stay(let place, let accuracy, let name):
      let where_ = format.place(latitude: place.latitude, longitude: place.longitude, accuracy: accuracy)
      return Line(times) + Line(name.map { "\($0), " } ?? "stay, ", .good) + Line(where_)
    case .way(let distance, let fixes):
      return Line("\(times)way of \(format.distance(distance)), \(fixes.counted("fix", "fixes"))")
    case .gap(let cause):
      return Line("\(times)nothing recorded\(cause.map { ": \($0.text)" } ?? ", and no reason is known")", .dim)
    }
  }

  func json(_ fix: HistoryFix) -> JSONValue {
    let text = Array(JSONFormat.line(self.fix(fix), moment: self.command.moment).utf8)
    do throws(RPCError) {
      return .object(["time": .string("\(fix.time)"), "fix": try JSONValue(parsing: text)])
    } catch {
      preconditionFailure("What was written cannot be read: \(error)")
    }
  }

  func json(_ stay: Stay, _ names: RegionNames) -> JSONValue {
    .object([
      "from": stay.arrival.map { .string("\($0)") } ?? .null, "until": stay.departure.map { .string("\($0)") } ?? .null,
      "latitude": .number(stay.place.latitude), "longitude": .number(stay.place.longitude),
      "accuracy": stay.accuracy.map { .number($0) } ?? .null,
      "region": names.name(of: stay).map { .string($0) } ?? .null,
    ])
  }

  func json(_ entry: DayTimeline.Entry) -> JSONValue {
    var members: [String: JSONValue] = ["from": .string("\(entry.from)"), "until": .string("\(entry.until)")]
    switch entry.content {
    case .stay(let place, let accuracy, let name):
      members["kind"] = "stay"
      members["latitude"] = .number(place.latitude)
      members["longitude"] = .number(place.longitude)
      members["accuracy"] = accuracy.map { .number($0) } ?? .null
      members["region"] = name.map { .string($0) } ?? .null
    case .way(let distance, let fixes):
      members["kind"] = "way"
      members["distance"] = .number(distance)
      members["fixes"] = .integer(fixes)
    case .gap(let cause):
      members["kind"] = "gap"
      members["cause"] = cause.map { .string($0.rawValue) } ?? .null
    }
    return .object(members)
  }
}
