package import Positioning
package import ProgramArguments

/// A polyline with a time at each point; between two points the speed is constant.
package struct Track: Hashable, Sendable {
  /// One point of a track.
  package struct Waypoint: Hashable, Sendable {
    package var coordinate: Coordinate
    /// Metres above mean sea level.
    package var altitude = Motion.usualAltitude
    /// From the start of the track; never before the previous waypoint.
    package var elapsed: Duration
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

extension Track {
  /// Reads the track points of a GPX file: `<trkpt lat="" lon="">` with `<ele>` and `<time>`; all else is ignored.
  ///
  /// It is not an XML parser: it searches for these tags only. A track without times is traversed at `speed` metres per
  /// second. `name` is the file's name, for the error.
  package init(gpx text: String, name: String, speed: Double = Route.usualSpeed) throws(UsageError) {
    var points: [Point] = []
    var rest = text[...]
    while let tag = rest.cut(from: "<trkpt", to: ">") {
      let number = points.count + 1
      points.append(
        Point(
          coordinate: Coordinate(
            latitude: try Self.attribute("lat", of: tag.inside, in: -89.9...89.9, number: number, name: name),
            longitude: try Self.attribute("lon", of: tag.inside, in: -180...180, number: number, name: name)
              .wrappedLongitude)))
      rest = tag.after
      guard !tag.inside.hasSuffix("/") else { continue }
      guard let body = rest.cut(from: "", to: "</trkpt>") else {
        throw UsageError("\(name): track point \(number) has no end (</trkpt>)")
      }
      rest = body.after
      points[points.count - 1].altitude = try Self.elevation(in: body.inside, number: number, name: name)
      points[points.count - 1].time = try Self.time(in: body.inside, number: number, name: name)
    }
    guard let first = points.first else {
      throw UsageError("\(name): no track point (<trkpt lat=\"...\" lon=\"...\">) in it")
    }
    let waypoints = first.time == nil ? Self.walked(points, speed: speed) : try Self.timed(points, name: name)
    guard let track = Track(waypoints: waypoints) else {
      throw UsageError("\(name): the times of its track points run backwards")
    }
    self = track
  }

  /// A track point as the file has it.
  private struct Point {
    var coordinate: Coordinate
    var altitude: Double?
    var time: Timestamp?
  }

  private static func timed(_ points: [Point], name: String) throws(UsageError) -> [Waypoint] {
    var waypoints: [Waypoint] = []
    var start: Timestamp?
    for (index, point) in points.enumerated() {
      guard let time = point.time else {
        throw UsageError("\(name): track point \(index + 1) has no <time>, though the first has one")
      }
      start = start ?? time
      waypoints.append(
        Waypoint(
          coordinate: point.coordinate, altitude: point.altitude ?? Motion.usualAltitude,
          elapsed: time - (start ?? time)))
    }
    return waypoints
  }

  private static func walked(_ points: [Point], speed: Double) -> [Waypoint] {
    var waypoints: [Waypoint] = []
    var distance = 0.0
    for point in points {
      distance += waypoints.last?.coordinate.path(to: point.coordinate).distance ?? 0
      waypoints.append(
        Waypoint(
          coordinate: point.coordinate, altitude: point.altitude ?? Motion.usualAltitude,
          elapsed: .seconds(distance / speed)))
    }
    return waypoints
  }

  private static func attribute(
    _ attribute: String, of tag: Substring, in range: ClosedRange<Double>, number: Int, name: String
  ) throws(UsageError) -> Double {
    let place = "\(name): track point \(number)"
    for quote in ["\"", "'"] {
      if let value = tag.cut(from: " \(attribute)=\(quote)", to: quote)?.inside {
        return try Specification.number(value, name: attribute, in: range, of: place)
      }
    }
    throw UsageError("\(place) has no \(attribute)")
  }

  private static func elevation(in body: Substring, number: Int, name: String) throws(UsageError) -> Double? {
    guard let text = body.cut(from: "<ele>", to: "</ele>")?.inside else { return nil }
    return try Specification.number(
      text.trimmed, name: "<ele>", in: -500...20_000, of: "\(name): track point \(number)")
  }

  private static func time(in body: Substring, number: Int, name: String) throws(UsageError) -> Timestamp? {
    guard let text = body.cut(from: "<time>", to: "</time>")?.inside else { return nil }
    guard let time = Timestamp(String(text.trimmed)) else {
      throw UsageError(
        "\(name): track point \(number): <time> is \"\(text)\"; expected 2025-01-31T12:34:56Z")
    }
    return time
  }
}

extension Substring {
  /// The text between the next `start` and the `end` that follows it, and what comes after that.
  fileprivate func cut(from start: String, to end: String) -> (inside: Substring, after: Substring)? {
    guard let opening = self.firstRange(of: start),
      let closing = self[opening.upperBound...].firstRange(of: end)
    else { return nil }
    return (self[opening.upperBound..<closing.lowerBound], self[closing.upperBound...])
  }

  /// The first position of `text`, compared byte by byte: grapheme breaking would make a day's track take minutes.
  private func firstRange(of text: String) -> Range<Substring.Index>? {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return self.startIndex..<self.startIndex }
    let bytes = self.utf8
    var start = bytes.startIndex
    while let candidate = bytes[start...].firstIndex(of: first) {
      let tail = bytes[candidate...]
      if tail.starts(with: wanted) {
        return candidate..<bytes.index(candidate, offsetBy: wanted.count)
      }
      start = bytes.index(after: candidate)
    }
    return nil
  }

  fileprivate var trimmed: Substring {
    let start = self.firstIndex { !$0.isWhitespace } ?? self.endIndex
    let end = self.lastIndex { !$0.isWhitespace }.map { self.index(after: $0) } ?? start
    return self[start..<end]
  }
}
