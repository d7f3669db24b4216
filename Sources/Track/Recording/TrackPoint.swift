import PositionProtocol
import Positioning

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
    self.horizontalAccuracy = Self.known(fix.horizontalAccuracy, 0...1e8)
    self.altitude = Self.known(fix.altitude, -1e8...1e8)
    self.ellipsoidalAltitude = Self.known(fix.ellipsoidalAltitude, -1e8...1e8)
    self.speed = Self.known(fix.speed, 0...1e6)
    self.course = Self.known(fix.course, 0...360)
    self.mode = fix.mode
    self.status = fix.status
    self.satellitesUsed = fix.satellitesUsed
    self.hdop = Self.known(hdop, 0...1e6)
  }

  private static let latitudes = -90.0...90
  private static let longitudes = -180.0...180
  /// The daemon's own limits of times, in seconds.
  private static let arrivals = 0...1e9

  private static func known(_ number: Double?, _ range: ClosedRange<Double>) -> Double? {
    number.flatMap { range.contains($0) ? $0 : nil }
  }
}
