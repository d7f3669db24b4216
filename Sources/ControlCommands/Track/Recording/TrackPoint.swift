import FoundationEssentials
import PositionProtocol
import Positioning

/// What a track keeps of a fix: little enough that a day of them is no burden.
struct TrackPoint: Hashable, Sendable {
  var place: Coordinate
  /// Seconds on `CLOCK_BOOTTIME`.
  var arrival: Double
  /// The receiver's own; may be wrong by decades, see `TrackClock`.
  var receiverTime: Date?
  /// The 68 % radius in metres.
  var horizontalAccuracy: Double?
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

  init(_ fix: FixObject, hdop: Double? = nil) {
    self.place = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
    self.arrival = fix.arrival
    self.receiverTime = fix.time?.date
    self.horizontalAccuracy = fix.horizontalAccuracy
    self.altitude = fix.altitude
    self.ellipsoidalAltitude = fix.ellipsoidalAltitude
    self.speed = fix.speed
    self.course = fix.course
    self.mode = fix.mode
    self.status = fix.status
    self.satellitesUsed = fix.satellitesUsed
    self.hdop = hdop
  }
}
