import Glibc
import Positioning

/// Where the device really is: a continuous way on a plane, in metres east and north of its origin.
///
/// The plane is small enough, some hundred kilometres, for the errors of the projection to be below those of a receiver.
package struct Track: Hashable, Sendable {
  /// A part of the way with one speed and one direction.
  package struct Leg: Hashable, Sendable {
    package var duration: Duration
    /// Metres per second.
    package var speed: Double
    /// Degrees from true north.
    package var course: Double

    package init(_ duration: Duration, speed: Double, course: Double) {
      self.duration = duration
      self.speed = speed
      self.course = course
    }
  }

  /// A place on the plane, in metres.
  package struct Place: Hashable, Sendable {
    package var east: Double
    package var north: Double

    package init(east: Double, north: Double) {
      self.east = east
      self.north = north
    }

    package func distance(to other: Place) -> Double { hypot(other.east - self.east, other.north - self.north) }
  }

  package static let latitude = 48.0
  package static let longitude = 11.0
  private static let metresPerDegree = 111_195.0
  /// Metres of a degree of longitude at a latitude.
  private static func metresEast(at latitude: Double) -> Double { Self.metresPerDegree * cos(latitude * .pi / 180) }

  package var legs: [Leg]
  /// When each leg begins, and where.
  private let starts: [(at: Duration, place: Place)]

  package init(_ legs: [Leg]) {
    self.legs = legs
    var starts: [(at: Duration, place: Place)] = []
    var (at, place) = (Duration.zero, Place(east: 0, north: 0))
    for leg in legs {
      starts.append((at, place))
      place = Self.place(place, along: leg, for: leg.duration)
      at += leg.duration
    }
    // It rests where it has arrived.
    starts.append((at, place))
    self.starts = starts
  }

  package static func == (left: Track, right: Track) -> Bool { left.legs == right.legs }
  package func hash(into hasher: inout Hasher) { hasher.combine(self.legs) }

  private static func place(_ start: Place, along leg: Leg, for time: Duration) -> Place {
    let way = leg.speed * time.seconds
    let angle = leg.course * .pi / 180
    return Place(east: start.east + way * sin(angle), north: start.north + way * cos(angle))
  }

  /// The leg at a moment; `nil`: it rests at the end.
  private func leg(at time: Duration) -> (index: Int, leg: Leg?) {
    var (low, high) = (0, self.starts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if self.starts[middle].at <= time { low = middle } else { high = middle - 1 }
    }
    return (low, low < self.legs.count ? self.legs[low] : nil)
  }

  /// Where the device is, so long after the beginning.
  package func place(at time: Duration) -> Place {
    let (index, leg) = self.leg(at: time)
    let start = self.starts[index]
    guard let leg else { return start.place }
    return Self.place(start.place, along: leg, for: max(.zero, time - start.at))
  }

  /// Metres per second, and degrees from true north.
  package func movement(at time: Duration) -> (speed: Double, course: Double) {
    let leg = self.leg(at: time).leg
    return (leg?.speed ?? 0, leg?.course ?? 0)
  }

  /// The greatest speed between two moments.
  package func greatestSpeed(from: Duration, to: Duration) -> Double {
    self.legs.indices.reduce(0) { most, index in
      let begins = self.starts[index].at
      return begins <= to && begins + self.legs[index].duration >= from ? max(most, self.legs[index].speed) : most
    }
  }

  /// The places at which it is for so long at least, each with when.
  package func rests(atLeast shortest: Duration) -> [(from: Duration, to: Duration, place: Place)] {
    self.legs.indices.compactMap { index in
      let leg = self.legs[index]
      guard leg.speed == 0, leg.duration >= shortest else { return nil }
      return (self.starts[index].at, self.starts[index].at + leg.duration, self.starts[index].place)
    }
  }

  /// When the device is within a distance of a place, from `0` to the given moment, in steps of a second.
  package func times(within distance: Double, of place: Place, until end: Duration) -> [Range<Duration>] {
    var times: [Range<Duration>] = []
    var since: Duration?
    var moment = Duration.zero
    let fastest = max(self.legs.map(\.speed).max() ?? 0, 1)
    while moment <= end {
      let way = self.place(at: moment).distance(to: place) - distance
      let isWithin = way < 0
      if isWithin, since == nil { since = moment }
      if !isWithin, let began = since {
        times.append(began..<moment)
        since = nil
      }
      // Before that it cannot be at the edge.
      moment += .seconds(max(1, Int64((abs(way) / fastest).rounded(.down))))
    }
    if let since, since < end { times.append(since..<end) }
    return times
  }

  package static func degrees(of place: Place) -> (latitude: Double, longitude: Double) {
    let latitude = Self.latitude + place.north / Self.metresPerDegree
    return (latitude, Self.longitude + place.east / Self.metresEast(at: Self.latitude))
  }

  package static func place(latitude: Double, longitude: Double) -> Place {
    Place(
      east: (longitude - Self.longitude) * Self.metresEast(at: Self.latitude),
      north: (latitude - Self.latitude) * Self.metresPerDegree)
  }
}
