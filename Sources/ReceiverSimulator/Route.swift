import Glibc
package import Positioning
package import ProgramArguments

/// The route of the simulated antenna. It is pure: the same elapsed time gives the same motion.
package enum Route: Hashable, Sendable {
  /// It stands still.
  case point(Coordinate)
  /// Counter-clockwise around `centre`, starting due east of it; metres and metres per second.
  case circle(centre: Coordinate, radius: Double, speed: Double)
  /// Straight ahead on a constant course.
  case line(start: Coordinate, course: Double, speed: Double)
  /// A recorded track; it stands at the last point when the track is over.
  case track(Track)

  /// Position, speed and course at `elapsed` since the start.
  package func motion(at elapsed: Duration) -> Motion {
    switch self {
    case .point(let coordinate):
      return Motion(coordinate: coordinate)
    case .circle(let centre, let radius, let speed):
      let angle = (speed * elapsed.seconds / radius).truncatingRemainder(dividingBy: 2 * .pi)
      let bearing = (90 - angle.degrees).wrappedCourse
      return Motion(
        coordinate: centre.moved(distance: radius, course: bearing), speed: speed,
        course: speed == 0 ? 0 : (bearing - 90).wrappedCourse)
    case .line(let start, let course, let speed):
      return Motion(
        coordinate: start.moved(distance: speed * elapsed.seconds, course: course), speed: speed, course: course)
    case .track(let track):
      return track.motion(at: elapsed)
    }
  }

  /// The default route: around a park in Munich at 10 m/s.
  package static let usual = Route.circle(
    centre: Coordinate(latitude: 48.1, longitude: 11.5), radius: 2000, speed: 10)
}

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

/// Position, speed and course of the simulated antenna.
package struct Motion: Hashable, Sendable {
  package var coordinate: Coordinate
  /// Metres above mean sea level.
  package var altitude = Motion.usualAltitude
  /// Over ground, metres per second.
  package var speed = 0.0
  /// Degrees from true north, 0..<360.
  package var course = 0.0

  /// The altitude of routes without one, in metres above mean sea level.
  package static let usualAltitude = 545.4
  /// The simulated receiver's height of the geoid above the ellipsoid, in metres.
  package static let geoidSeparation = 46.9
}

extension Coordinate {
  private static let equatorialRadius = 6_378_137.0
  private static let eccentricitySquared = 6.694_379_990_141_317e-3

  /// The ellipsoid's radii of curvature here: along the meridian, and across it; metres.
  private static func radii(latitude: Double) -> (meridian: Double, transverse: Double) {
    let sine = sin(latitude.radians)
    let root = (1 - Self.eccentricitySquared * sine * sine).squareRoot()
    return (
      Self.equatorialRadius * (1 - Self.eccentricitySquared) / (root * root * root), Self.equatorialRadius / root
    )
  }

  /// The point at `distance` metres on the constant course `course` (degrees).
  ///
  /// The radii are taken at the mean latitude; the error is less than a centimetre in 10 km and a metre in 100 km.
  /// Routes end short of the poles: the latitude is clamped to 89.9 degrees.
  package func moved(distance: Double, course: Double) -> Coordinate {
    let north = distance * cos(course.radians)
    let east = distance * sin(course.radians)
    var latitude = self.latitude + (north / Self.radii(latitude: self.latitude).meridian).degrees
    for _ in 0..<2 {
      let mean = (self.latitude + latitude) / 2
      latitude = self.latitude + (north / Self.radii(latitude: mean).meridian).degrees
    }
    latitude = min(max(latitude, -89.9), 89.9)
    let mean = (self.latitude + latitude) / 2
    let across = Self.radii(latitude: mean).transverse * cos(mean.radians)
    return Coordinate(
      latitude: latitude, longitude: (self.longitude + (east / across).degrees).wrappedLongitude)
  }

  /// The distance in metres and the course in degrees to `other`, with the same approximation as `moved`.
  package func path(to other: Coordinate) -> (distance: Double, course: Double) {
    let mean = (self.latitude + other.latitude) / 2
    let radii = Self.radii(latitude: mean)
    let north = (other.latitude - self.latitude).radians * radii.meridian
    let turn = (other.longitude - self.longitude).wrappedLongitude
    let east = turn.radians * radii.transverse * cos(mean.radians)
    let course = north == 0 && east == 0 ? 0 : atan2(east, north).degrees.wrappedCourse
    return ((north * north + east * east).squareRoot(), course)
  }
}
