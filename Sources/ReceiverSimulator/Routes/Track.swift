package import Positioning

/// A polyline with a time at each point; between two points the speed is constant.
package struct Track: Hashable, Sendable {
  /// One point of a track.
  package struct Waypoint: Hashable, Sendable {
    package var coordinate: Coordinate
    /// Metres above mean sea level.
    package var altitude: Double
    /// From the start of the track; never before the previous waypoint.
    package var elapsed: Duration

    package init(coordinate: Coordinate, altitude: Double = Motion.usualAltitude, elapsed: Duration) {
      self.coordinate = coordinate
      self.altitude = altitude
      self.elapsed = elapsed
    }
  }

  /// At least one, in the order of their times.
  package let waypoints: [Waypoint]

  /// `nil` if there is no waypoint or one is earlier than the previous one.
  package init?(waypoints: [Waypoint]) {
    guard !waypoints.isEmpty, zip(waypoints, waypoints.dropFirst()).allSatisfy({ $0.elapsed <= $1.elapsed }) else {
      return nil
    }
    self.waypoints = waypoints
  }

  package func motion(at elapsed: Duration) -> Motion {
    let next = self.firstIndex(after: elapsed)
    guard next > 0 else { return Self.rest(at: self.waypoints[0], facing: 0) }
    let last = self.waypoints[next - 1]
    guard next < self.waypoints.count else {
      let arrivedFrom = next > 1 ? self.waypoints[next - 2].coordinate : last.coordinate
      return Self.rest(at: last, facing: arrivedFrom.path(to: last.coordinate).course)
    }
    let end = self.waypoints[next]
    let path = last.coordinate.path(to: end.coordinate)
    let whole = (end.elapsed - last.elapsed).seconds
    let done = (elapsed - last.elapsed).seconds / whole
    return Motion(
      coordinate: last.coordinate.moved(distance: path.distance * done, course: path.course),
      altitude: last.altitude + (end.altitude - last.altitude) * done, speed: path.distance / whole,
      course: path.course)
  }

  private static func rest(at waypoint: Waypoint, facing course: Double) -> Motion {
    Motion(coordinate: waypoint.coordinate, altitude: waypoint.altitude, speed: 0, course: course)
  }

  /// The index of the first waypoint later than `elapsed`, by bisection: a day's track has a hundred thousand.
  private func firstIndex(after elapsed: Duration) -> Int {
    var low = 0
    var high = self.waypoints.count
    while low < high {
      let middle = (low + high) / 2
      if self.waypoints[middle].elapsed <= elapsed {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
