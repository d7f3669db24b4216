import Glibc
import History
import JSONRPC
import Notations
import PositionProtocol
import Positioning
import Printable
import ProgramArguments
import SQLite
import Track

/// `positionctl history report`: a day as a page.
struct HistoryReportCommand: HistoryCommand {
  static let output = Option("output", letter: "o", .name("FILE", "a file's name"), "output file, ending in .html")

  static let description = CommandDescription(
    name: "history report", summary: "write a day as a page for a browser",
    explanation: [
      "Track, timeline, accuracy and the receiver's time on, in one file that refers to no other. Only you may read the file."
    ],
    operands: [.init(name: "DATE", .optional)], options: [Self.output, TrackCommand.overwrite],
    examples: ["positionctl history report -o day.html yesterday": "the day before"])

  private let path: String
  private let text: String
  private let overwrites: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard let path = arguments[Self.output] else { throw UsageError("missing \(Self.output.form)") }
    guard path.hasSuffix(".html") else { throw UsageError("\"\(path)\" does not end in .html") }
    self.path = path
    self.text = arguments.operands.first ?? "today"
    self.overwrites = arguments.has(TrackCommand.overwrite)
  }

  func run(_ file: HistoryFile, in context: HistoryContext) throws(HistoryFailure) -> ExitCode {
    let range = try context.day(self.text)
    let page = try HistoryFailure.of { () throws(StoreError) in
      HistoryPage(
        range: range, day: try DayTimeline(range, of: file, now: context.now), fixes: try file.fixes(in: range),
        power: try file.power(in: range), context: context)
    }
    let text = page.text
    try HistoryFailure.writing(self.path, replaces: self.overwrites) { $0.write(text) }
    context.command.note("\(self.path): \(page.day.fixes.counted("fix", "fixes"))")
    return .success
  }
}

/// The page of a day. All that it shows is in it.
struct HistoryPage {
  let range: ClosedRange<Timestamp>
  let day: DayTimeline
  let fixes: [HistoryFix]
  let power: [PowerChange]
  let context: HistoryContext

  private static let width = 960.0

  var text: String {
    let date = self.context.clock.date(self.range.lowerBound)
    var map = ""
    if let track = RecordedTrack(self.fixes) { TrackFormat.svg.write(track, to: &map) }
    // The declaration is for a file of its own.
    let drawing = map.split(separator: "\n").drop { $0.hasPrefix("<?xml") }.joined(separator: "\n")
    let distance = self.context.command.format.distance(self.day.distance)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>\(date)</title>
      <style>
      :root { color-scheme: light dark; }
      body { font-family: system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
      table { border-collapse: collapse; } td, th { text-align: left; padding: 0.2rem 1rem 0.2rem 0; }
      .bar { fill: currentColor; opacity: 0.15; } .stay { fill: #2e7d32; } .way { fill: #1565c0; } .gap { fill: #9e9e9e; }
      .on { fill: #ef6c00; } svg { max-width: 100%; height: auto; } text { fill: currentColor; font-size: 12px; }
      </style>
      </head>
      <body>
      <h1>\(date)</h1>
      <p>\(self.day.fixes.counted("fix", "fixes")), \(distance) on the way\(self.onTime)</p>
      <h2>Timeline</h2>
      \(self.bars)
      <table>
      \(self.rows)
      </table>
      <h2>Accuracy</h2>
      \(self.accuracy)
      <h2>Track</h2>
      \(drawing.isEmpty ? "<p>no fix</p>" : drawing)
      </body>
      </html>

      """
  }

  private var rows: String {
    self.day.entries.map { entry in
      let line = self.context.line(entry).parts.map(\.printable).joined()
      let words = line.split(separator: "  ", maxSplits: 1).map { "<td>\(XML.escaped(String($0)))</td>" }
      return "<tr>\(words.joined())</tr>"
    }.joined(separator: "\n")
  }

  private func x(_ time: Timestamp) -> Double {
    let whole = (self.range.upperBound - self.range.lowerBound).seconds
    let share = (time - self.range.lowerBound).seconds / max(1, whole)
    return min(max(share, 0), 1) * Self.width
  }

  private func bar(_ from: Timestamp, _ until: Timestamp, _ kind: String, y: Int) -> String {
    let (left, right) = (self.x(from), self.x(until))
    return
      "<rect class=\"\(kind)\" x=\"\(left.fixed(1))\" y=\"\(y)\" width=\"\(max(0.5, right - left).fixed(1))\" height=\"18\"/>"
  }

  /// Stays, ways and gaps above, the receiver's time on below.
  private var bars: String {
    let entries = self.day.entries.map { entry in
      let kind =
        switch entry.content {
        case .stay: "stay"
        case .way: "way"
        case .gap: "gap"
        }
      return self.bar(entry.from, entry.until, kind, y: 0)
    }
    let on = self.onPeriods.map { self.bar($0.lowerBound, $0.upperBound, "on", y: 24) }
    let hours = stride(from: 0.0, through: 24, by: 3).map { hour in
      let time = self.range.lowerBound + .seconds(hour * 3600)
      return
        "<text x=\"\(self.x(time).fixed(1))\" y=\"58\">\(self.context.clock.timeOfDay(time, withSeconds: false))</text>"
    }
    let frame = "<rect class=\"bar\" width=\"\(Int(Self.width))\" height=\"18\"/>"
    let second = "<rect class=\"bar\" y=\"24\" width=\"\(Int(Self.width))\" height=\"18\"/>"
    return self.drawing(
      "green: stays; blue: ways; grey: nothing recorded; orange: the receiver was on", height: 62,
      [frame, second] + entries + on + hours)
  }

  private func drawing(_ title: String, height: Int, _ parts: [String]) -> String {
    "<svg viewBox=\"0 0 \(Int(Self.width) + 40) \(height)\" role=\"img\"><title>\(title)</title>\n"
      + parts.joined(separator: "\n") + "\n</svg>\n<p>\(title)</p>"
  }

  private var onPeriods: [ClosedRange<Timestamp>] {
    var periods: [ClosedRange<Timestamp>] = []
    var start: Timestamp?
    let end = min(self.range.upperBound, self.context.now)
    for change in self.power {
      if let begin = start, !change.isOn, begin <= change.time { periods.append(begin...change.time) }
      start = change.isOn ? start ?? max(change.time, self.range.lowerBound) : nil
    }
    if let begin = start, begin < end { periods.append(begin...end) }
    return periods.filter { $0.upperBound > self.range.lowerBound }
  }

  private var onTime: String {
    guard !self.power.isEmpty else { return "; when the receiver was on is not recorded" }
    let seconds = self.onPeriods.reduce(0) { $0 + ($1.upperBound - $1.lowerBound).seconds }
    return "; the receiver was on for \(TimeSpan.words(seconds))"
  }

  /// The worst accuracy of each of some hundred pieces of the day, on a logarithmic scale from 1 m to 10 km.
  private var accuracy: String {
    let pieces = 240
    var worst = [Double](repeating: 0, count: pieces)
    for fix in self.fixes {
      guard let accuracy = fix.accuracy else { continue }
      let piece = min(pieces - 1, Int(self.x(fix.time) / Self.width * Double(pieces)))
      worst[piece] = max(worst[piece], accuracy)
    }
    let step = Self.width / Double(pieces)
    let bars = worst.enumerated().filter { $0.element > 0 }.map { place, meters in
      let height = min(max(log10(max(meters, 1)) / 4, 0.02), 1) * 100
      return "<rect class=\"way\" x=\"\((Double(place) * step).fixed(1))\" y=\"\((100 - height).fixed(1))\" "
        + "width=\"\(step.fixed(1))\" height=\"\(height.fixed(1))\"/>"
    }
    let marks = [(1.0, 100.0), (10, 75), (100, 50), (1000, 25)].map { meters, y in
      "<text x=\"\(Int(Self.width) + 4)\" y=\"\(y.fixed(0))\">\(Distance.words(meters))</text>"
    }
    return self.drawing("the worst 68 % radius of each six minutes", height: 104, bars + marks)
  }
}
