import Positioning
package import ProgramArguments

extension Route {
  /// The kinds of route, as an error or a help text lists them.
  package static let forms =
    "point:LAT,LON, circle:LAT,LON,RADIUS[,SPEED], line:LAT,LON,COURSE,SPEED or FILE.gpx"

  /// The default speed of a circle or of a track without times; metres per second.
  package static let usualSpeed = 10.0

  /// Reads `point:`, `circle:` or `line:`; for files see `Track.init(gpx:name:)`.
  package init(parsing text: String) throws(UsageError) {
    guard let colon = text.firstIndex(of: ":") else {
      throw UsageError("\"\(text)\" is no route; expected \(Self.forms)")
    }
    let parts = text[text.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
    switch text[..<colon] {
    case "point":
      try Self.expect(parts, 2...2, of: text)
      self = .point(try Self.point(parts, of: text))
    case "circle":
      try Self.expect(parts, 3...4, of: text)
      self = .circle(
        centre: try Self.point(parts, of: text),
        radius: try Specification.number(parts[2], name: "RADIUS", in: 1...100_000, of: text),
        speed: try Self.speed(parts, at: 3, of: text))
    case "line":
      try Self.expect(parts, 4...4, of: text)
      self = .line(
        start: try Self.point(parts, of: text),
        course: try Specification.number(parts[2], name: "COURSE", in: 0...360, of: text).wrappedCourse,
        speed: try Self.speed(parts, at: 3, of: text))
    default:
      throw UsageError("\"\(text[..<colon])\" is no kind of route; expected \(Self.forms)")
    }
  }

  private static func expect(_ parts: [Substring], _ count: ClosedRange<Int>, of whole: String)
    throws(UsageError)
  {
    guard count.contains(parts.count) else {
      let expected =
        count.lowerBound == count.upperBound ? "\(count.lowerBound)" : "\(count.lowerBound) or \(count.upperBound)"
      throw UsageError("\(whole) has \(parts.count) numbers, expected \(expected): \(Self.forms)")
    }
  }

  private static func point(_ parts: [Substring], of whole: String) throws(UsageError) -> Coordinate {
    Coordinate(
      latitude: try Specification.number(parts[0], name: "LAT", in: -89.9...89.9, of: whole),
      longitude: try Specification.number(parts[1], name: "LON", in: -180...180, of: whole).wrappedLongitude)
  }

  private static func speed(_ parts: [Substring], at index: Int, of whole: String) throws(UsageError) -> Double {
    guard index < parts.count else { return Self.usualSpeed }
    return try Specification.number(parts[index], name: "SPEED", in: 0...1000, of: whole)
  }
}
