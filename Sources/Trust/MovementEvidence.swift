import Geodesy
import Positioning

import func Glibc.cos
import func Glibc.sin

/// The evidence `speed`, as far as it follows from the receiver's own speed: that is measured by the Doppler shift, and
/// the position by the time of arrival, so whoever moves the one need not move the other.
///
/// The speeds of the last three minutes, added up by their courses, say how far the position should have moved.
/// What differs is a drag-off, if it is more than the errors, the turns between two reports and the reflections of a town
/// explain.
struct MovementEvidence: Hashable, Sendable {
  /// Seconds that are compared at most, and at least before they speak for the receiver.
  private static let window = 180.0
  private static let leastSupport = 10.0
  /// The first positions of a start move towards the true one.
  private static let settling: Duration = .seconds(30)
  /// A longer gap hides what happened in it.
  private static let longestGap = 5.0
  /// Metres that a position may differ, beyond its error.
  private static let tolerance = 25.0
  /// How much of the stated error it may differ: two positions of one place differ by more than their error, and in a day
  /// there are thousands that can.
  private static let errorFactor = 6.0
  /// The share of the path by which the speed may be wrong.
  private static let speedError = 0.1
  /// Seconds by which the speed may be older than the position.
  private static let speedLag = 2.0
  /// So many times what is explained is no receiver's own error.
  private static let strongFactor = 1.5
  private static let confirmations = 3

  /// Where the position was, and what the speeds made of it until then. In metres east and north of the first one.
  private struct Point: Hashable, Sendable {
    let seconds: Double
    let east: Double
    let north: Double
    let expectedEast: Double
    let expectedNorth: Double
    /// The whole path, and the part of it whose direction is unknown.
    let path: Double
    let undirected: Double
    let error: Double
    let speed: Double
    /// Whether it differs as no error does, and not yet in enough reports: later ones are not compared with it, since
    /// otherwise one wrong report would be three that differ.
    var isDoubtful = false
  }

  private var origin: Coordinate?
  private var began: Instant?
  private var last: JudgedEpoch?
  private var points: [Point] = []
  private var strongCount = 0

  /// There was no fix, or the session ended.
  mutating func interrupted() { self = MovementEvidence() }

  /// A whole epoch.
  mutating func received(_ epoch: JudgedEpoch) -> Finding {
    guard let last, let origin, let began, epoch.isFromSatellites, !epoch.isFlat else {
      self.begin(with: epoch)
      return .silent
    }
    let seconds = epoch.seconds(since: last)
    guard seconds <= Self.longestGap, let speed = epoch.speed, let before = last.speed else {
      self.begin(with: epoch)
      return .silent
    }
    guard epoch.arrival - began >= Self.settling else {
      self.last = epoch
      return .silent
    }
    self.last = epoch
    var point = self.point(
      of: epoch, from: origin, speeds: (before, speed), courses: (last.course, epoch.course), seconds)
    let finding = self.compare(point)
    point.isDoubtful = self.strongCount > 0 && self.strongCount < Self.confirmations
    self.add(point)
    return finding
  }

  private mutating func begin(with epoch: JudgedEpoch) {
    self = MovementEvidence()
    guard epoch.isFromSatellites, !epoch.isFlat else { return }
    (self.origin, self.began, self.last) = (epoch.place, epoch.arrival, epoch)
  }

  private func point(
    of epoch: JudgedEpoch, from origin: Coordinate, speeds: (Double, Double), courses: (Double?, Double?),
    _ seconds: Double
  ) -> Point {
    let newest = self.points.last
    let offset = Self.offset(from: origin, to: epoch.place)
    var (east, north, undirected) = (newest?.expectedEast ?? 0, newest?.expectedNorth ?? 0, newest?.undirected ?? 0)
    for (speed, course) in [(speeds.0, courses.0), (speeds.1, courses.1)] {
      let distance = speed * seconds / 2
      guard let course else {
        undirected += distance
        continue
      }
      east += distance * sin(course * .pi / 180)
      north += distance * cos(course * .pi / 180)
    }
    return Point(
      seconds: (newest?.seconds ?? 0) + seconds, east: offset.east, north: offset.north, expectedEast: east,
      expectedNorth: north, path: (newest?.path ?? 0) + (speeds.0 + speeds.1) * seconds / 2, undirected: undirected,
      error: epoch.error, speed: max(speeds.0, speeds.1))
  }

  private mutating func compare(_ point: Point) -> Finding {
    var worst = 0.0
    // Of the points between, the fastest counts for the turns.
    var fastest = point.speed
    for earlier in self.points.reversed() {
      fastest = max(fastest, earlier.speed)
      if earlier.isDoubtful { continue }
      let east = (point.east - earlier.east) - (point.expectedEast - earlier.expectedEast)
      let north = (point.north - earlier.north) - (point.expectedNorth - earlier.expectedNorth)
      let explained =
        Self.tolerance + Self.errorFactor * max(point.error, earlier.error)
        + Self.speedError * (point.path - earlier.path) + Self.speedLag * fastest
        + (point.undirected - earlier.undirected)
      worst = max(worst, (east * east + north * north).squareRoot() / explained)
    }
    self.strongCount = worst > Self.strongFactor ? self.strongCount + 1 : 0
    if self.strongCount >= Self.confirmations { return .strong }
    if worst > 1 { return .weak }
    guard let oldest = self.points.first, point.seconds - oldest.seconds >= Self.leastSupport else { return .silent }
    return .supporting
  }

  /// Keeps one point a second at most, however fast the receiver is.
  private mutating func add(_ point: Point) {
    let count = self.points.count
    if count > 1, point.seconds - self.points[count - 2].seconds < 1 { self.points.removeLast() }
    self.points.append(point)
    while let oldest = self.points.first, point.seconds - oldest.seconds > Self.window { self.points.removeFirst() }
  }

  /// Metres east and north; good enough for what a device moves in three minutes.
  private static func offset(from origin: Coordinate, to place: Coordinate) -> (east: Double, north: Double) {
    var longitude = place.longitude - origin.longitude
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    let scale = 111_195.0
    let middle = (origin.latitude + place.latitude) / 2 * .pi / 180
    return (longitude * scale * cos(middle), (place.latitude - origin.latitude) * scale)
  }
}
