import PositionProtocol
import Positioning
import Printable

/// The text form of headings.
enum HeadingFormat {
  /// One line, such as `271° true, 267° magnetic, ±4° (course), 0.4 s ago`.
  static func line(_ heading: Heading, now: Instant) -> String {
    var parts: [String] = []
    if let direction = heading.trueHeading { parts.append("\(FixFormat.degrees(direction)) true") }
    if let direction = heading.magneticHeading { parts.append("\(FixFormat.degrees(direction)) magnetic") }
    if let accuracy = heading.accuracy { parts.append("±\(accuracy.short)°") }
    return parts.joined(separator: ", ")
      + " (\(heading.source.rawValue)), \(TimeSpan.words(heading.age(at: now).seconds)) ago"
  }

  static func lines(_ update: HeadingUpdate, now: Instant) -> [String] {
    let dropped = update.dropped > 0 ? ["-- \(update.dropped.counted("update", "updates")) skipped"] : []
    let line = update.heading.map { self.line($0, now: now) } ?? self.line(update.state ?? .invalid)
    return dropped + [line + (update.isRepeat ? " (repeated)" : "")]
  }

  /// That there is no heading, and why.
  static func line(_ state: HeadingState) -> String {
    switch state {
    case .valid: "-- valid: there is a heading"
    case .invalid: "-- invalid: no heading now; without a compass the device must move and have a fix"
    case .unavailable: "-- unavailable: the receiver has no compass and reports no course"
    }
  }
}
