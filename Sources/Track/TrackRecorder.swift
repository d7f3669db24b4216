import Geodesy
import PositionProtocol
package import Positioning

/// Makes a track of fixes as they arrive.
///
/// A track has segments. Within a segment the fixes follow each other closely, and a line between two of them
/// approximates the way of the device. A segment ends with a lost fix, and with a gap, for example because the machine
/// was suspended.
package struct TrackRecorder: Sendable {
  /// The most fixes in one file: five days at one a second, in about 100 MB of memory.
  package static let capacity = 500_000
  /// A longer time without a fix is a gap, in seconds, unless fixes are requested less often.
  static let shortestGap = 30.0

  /// The segments; none is empty.
  package private(set) var segments: [[TrackPoint]] = []
  package private(set) var odometer = Odometer()
  package private(set) var count = 0
  /// The path of the newest fix's receiver as gpsd knows it.
  package private(set) var device: String?
  private var isInterrupted = true
  /// In seconds: the limit for the age of a dilution of precision, and for the time without a fix.
  private let gap: Double
  private let minDistance: Double
  private let capacity: Int
  private var newestHDOP: (value: Double, arrival: Double)?

  /// - Parameters:
  ///   - minInterval: The requested interval in seconds.
  ///   - minDistance: The requested distance in metres. With it, a stationary device has no fixes, and a time without
  ///   fixes is no gap.
  package init(minInterval: Double = 1, minDistance: Double = 0, capacity: Int = TrackRecorder.capacity) {
    self.capacity = capacity
    self.gap = max(Self.shortestGap, 5 * minInterval)
    self.minDistance = minDistance
  }

  package var newest: TrackPoint? { self.segments.last?.last }

  package var isFull: Bool { self.count >= self.capacity }

  /// Takes a fix. It is ignored if it did not arrive after the previous one, or if its place is impossible.
  package mutating func fixed(_ fix: Fix) {
    if let newest, fix.arrival.sinceBoot.seconds <= newest.arrival { return }
    let arrival = fix.arrival.sinceBoot.seconds
    let hdop = self.newestHDOP.flatMap { abs(arrival - $0.arrival) <= self.gap ? $0.value : nil }
    guard let point = TrackPoint(fix, hdop: hdop) else { return }
    if self.isInterrupted || self.isGap(before: point) {
      self.odometer.interrupted()
      self.segments.append([])
    }
    self.isInterrupted = false
    self.odometer.moved(to: point.place, accuracy: point.horizontalAccuracy, at: point.arrival)
    self.segments[self.segments.count - 1].append(point)
    self.count += 1
    self.device = fix.device ?? self.device
  }

  /// The fix was lost.
  package mutating func lost() { self.isInterrupted = true }

  package mutating func saw(_ sky: Sky?) {
    guard let sky, let hdop = sky.hdop else { return }
    self.newestHDOP = (hdop, sky.arrival.sinceBoot.seconds)
  }

  /// A recorder for the next part of the recording, which begins with the newest fix.
  package func continued() -> TrackRecorder {
    var next = self
    next.odometer = Odometer()
    next.segments = self.newest.map { [[$0]] } ?? []
    if let newest { next.odometer.moved(to: newest.place, accuracy: newest.horizontalAccuracy, at: newest.arrival) }
    next.count = next.segments.count
    return next
  }

  private func isGap(before point: TrackPoint) -> Bool {
    guard let newest, point.arrival - newest.arrival > self.gap else { return false }
    return self.minDistance == 0 || Geodesy.distance(from: newest.place, to: point.place) > 3 * self.minDistance
  }
}

/// The part of a fix that a track keeps: small enough for days of fixes.
package struct TrackPoint: Hashable, Sendable {
  var place: Coordinate
  /// Seconds on `CLOCK_BOOTTIME`.
  package var arrival: Double
  /// The receiver's time; it may be wrong by decades, see `TrackClock`.
  var receiverTime: Timestamp?
  /// The 68 % radius in metres.
  package var horizontalAccuracy: Double?
  /// Metres above mean sea level.
  var altitude: Double?
  /// Metres above the ellipsoid.
  var ellipsoidalAltitude: Double?
  /// Metres within which the altitude is with a probability of 68 %.
  var verticalAccuracy: Double?
  /// Metres per second.
  var speed: Double?
  /// Degrees from true north.
  var course: Double?
  var mode: Fix.Mode
  var status: Fix.Status
  var satellitesUsed: Int?
  var hdop: Double?

  /// Impossible values become `nil`; the point is `nil` if its place or its time is impossible.
  init?(_ fix: Fix, hdop: Double? = nil) {
    guard Self.latitudes.contains(fix.latitude), Self.longitudes.contains(fix.longitude),
      case let arrival = fix.arrival.sinceBoot.seconds, Self.arrivals.contains(arrival)
    else { return nil }
    self.place = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
    self.arrival = arrival
    self.receiverTime = fix.time
    self.horizontalAccuracy = fix.horizontalAccuracy
    self.altitude = fix.altitude
    self.ellipsoidalAltitude = fix.ellipsoidalAltitude
    self.verticalAccuracy = fix.verticalAccuracy
    self.speed = fix.speed
    self.course = fix.course
    self.mode = fix.mode
    self.status = fix.status
    self.satellitesUsed = fix.satellitesUsed
    self.hdop = hdop
    self.leaveOutImpossible()
  }

  /// Impossible numbers become `nil`.
  mutating func leaveOutImpossible() {
    self.horizontalAccuracy = Self.known(self.horizontalAccuracy, 0...1e8)
    self.altitude = Self.known(self.altitude, -1e8...1e8)
    self.ellipsoidalAltitude = Self.known(self.ellipsoidalAltitude, -1e8...1e8)
    self.verticalAccuracy = Self.known(self.verticalAccuracy, 0...1e8)
    self.speed = Self.known(self.speed, 0...1e6)
    self.course = Self.known(self.course, 0...360)
    self.hdop = Self.known(self.hdop, 0...1e6)
  }

  /// A point of a file, of which only place and time are known.
  ///
  /// `nil` if its place is impossible.
  init?(_ place: Coordinate, _ time: Timestamp) {
    self.init(
      Fix(latitude: place.latitude, longitude: place.longitude, time: time, arrival: .boot))
    self.arrival = time.seconds
  }

  private static let latitudes = -90.0...90
  private static let longitudes = -180.0...180
  /// The daemon's own limits of times, in seconds.
  private static let arrivals = 0...1e9

  private static func known(_ number: Double?, _ range: ClosedRange<Double>) -> Double? {
    number.flatMap { range.contains($0) ? $0 : nil }
  }
}
