import Glibc
import JSONRPC
import Notations
import PositionProtocol
import Positioning
import Printable

/// The fixes of `positionctl watch` on a terminal: a header, and a line for each fix with the time of the day.
///
/// Columns that the window has no room for are left out, those that matter least first. What is left out stays so only as
/// long as the window is narrow: the header comes again with each other choice.
struct WatchTable {
  /// In the order of a line.
  private enum Column: CaseIterable {
    case time, place, accuracy, speed, course, altitude, satellites, kind, age

    /// What is left out first has the largest number.
    var rank: Int {
      switch self {
      case .place: 0
      case .time: 1
      case .accuracy: 2
      case .speed: 3
      case .course: 4
      case .altitude: 5
      case .satellites: 6
      case .age: 7
      case .kind: 8
      }
    }

    var title: String {
      switch self {
      case .time: "TIME"
      case .place: "POSITION"
      case .accuracy: "ACCURACY"
      case .speed: "SPEED"
      case .course: "COURSE"
      case .altitude: "ALTITUDE"
      case .satellites: "SATS"
      case .kind: "FIX"
      case .age: "AGE"
      }
    }

    /// As wide as its longest usual text; that of a place follows from the first one.
    var width: Int {
      switch self {
      case .time: 8
      case .place: 0
      case .accuracy: 10
      case .speed: 9
      case .course: 7
      case .altitude: 8
      case .satellites: 4
      case .kind: 12
      case .age: 6
      }
    }

    var isText: Bool { self == .place || self == .time || self == .kind }
  }

  private static let gap = 2

  private let format: PositionFormat
  private let isUnicode: Bool
  private var shown: [Column] = []
  private var placeWidth = 0
  private var linesSinceHeader = 0

  /// - Parameter isUnicode: Whether the terminal has more than ASCII, which may take more room.
  init(_ format: PositionFormat, isUnicode: Bool) {
    self.format = format
    self.isUnicode = isUnicode
  }

  /// The line of a fix, after the header if that is needed.
  ///
  /// - Parameters:
  ///   - remark: Such as "cached"; it is left out where there is no room.
  ///   - columns: How many characters a line has.
  ///   - rows: How many lines the window has: the header comes again before it is gone.
  mutating func lines(_ fix: Fix, remark: String?, at moment: CodingMoment, columns: Int, rows: Int) -> [Line] {
    let texts = self.texts(fix, at: moment)
    // Digits of a place differ in number: one more before the point at 10° and 100°.
    if let place = texts[.place], place.count > self.placeWidth { self.placeWidth = place.count + 1 }
    let fitting = self.fitting(columns)
    var lines: [Line] = []
    if fitting != self.shown || self.linesSinceHeader >= max(rows - 2, 5) {
      self.shown = fitting
      self.linesSinceHeader = 0
      lines.append(Line(self.line { $0.title }, .bold))
    }
    self.linesSinceHeader += 1
    // A number may be wider than its column; the place alone is whole in any window.
    let wide = self.line { texts[$0] ?? "-" }
    let line = self.shown.count > 1 ? String(wide.prefix(max(columns - 1, 0))) : wide
    let rest = remark.map { "\(String(repeating: " ", count: Self.gap))\($0)" } ?? ""
    lines.append(Line(line.count + rest.count < columns ? line + rest : line))
    return lines
  }

  private func line(_ text: (Column) -> String) -> String {
    let cells = self.shown.map { column in
      let width = self.width(column)
      return column.isText ? text(column).padded(width) : text(column).aligned(width)
    }
    return cells.joined(separator: String(repeating: " ", count: Self.gap)).withoutTrailingSpaces
  }

  private func width(_ column: Column) -> Int { column == .place ? self.placeWidth : column.width }

  /// A line must be shorter than the window is wide, or some terminals go on in the next.
  private func fitting(_ columns: Int) -> [Column] {
    var kept: Set<Column> = []
    var used = 0
    for column in Column.allCases.sorted(by: { $0.rank < $1.rank }) {
      let needed = self.width(column) + (kept.isEmpty ? 0 : Self.gap)
      // The place stands in any window.
      guard kept.isEmpty || used + needed < columns else { break }
      kept.insert(column)
      used += needed
    }
    return Column.allCases.filter { kept.contains($0) }
  }

  private func texts(_ fix: Fix, at moment: CodingMoment) -> [Column: String] {
    var texts: [Column: String] = [
      .time: Self.clock(Timestamp(of: fix.arrival, at: moment)), .place: self.format.place(fix),
      .kind: FixFormat.kind(fix), .age: TimeSpan.words(fix.age(at: moment.now).seconds),
    ]
    texts[.accuracy] = fix.horizontalAccuracy.map { self.format.accuracy($0) }
    texts[.speed] = fix.speed.map { self.format.speed($0) }
    texts[.course] = fix.course.map { FixFormat.degrees($0) }
    texts[.altitude] = fix.altitude.map { self.format.altitude($0) }
    texts[.satellites] = fix.satellitesUsed.map { "\($0)" }
    return self.isUnicode ? texts : texts.mapValues(\.ascii)
  }

  /// The person's own time of the day, such as `09:41:07`.
  static func clock(_ time: Timestamp) -> String {
    var seconds = time_t(time.seconds.rounded(.down))
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "-" }
    return unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(
      separator: ":")
  }
}

extension UpdateFormat {
  /// What a line of the table says of a fix besides its numbers; `nil`: nothing.
  static func remark(_ fix: Fix, _ update: PositionUpdate) -> String? {
    let doubt: String? =
      switch fix.integrity {
      case .suspect: "suspect"
      case .untrusted: "not to be trusted"
      case .trusted, nil: nil
      }
    let remarks = [
      doubt, fix.isReduced ? "reduced" : nil, update.isReplay ? "cached" : nil, update.isRepeat ? "repeated" : nil,
    ]
    let words = remarks.compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
