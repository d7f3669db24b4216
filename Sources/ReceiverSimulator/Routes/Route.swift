import Glibc
package import Positioning

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
