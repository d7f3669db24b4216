import Positioning

// The forms are what stands in the database: their properties' names are its keys. A property that is added later is
// optional, or has a default; one that is renamed needs a step of the schema.

/// A fix in a body.
struct FixForm: Codable {
  private var latitude: Double
  private var longitude: Double
  private var horizontalAccuracy: Double?
  private var altitude: Double?
  private var ellipsoidalAltitude: Double?
  private var verticalAccuracy: Double?
  private var speed: Double?
  private var speedAccuracy: Double?
  private var course: Double?
  private var courseAccuracy: Double?
  /// Seconds since 2001.
  private var time: Double?
  private var arrival: MomentForm
  private var mode: Fix.Mode
  private var status: Fix.Status
  private var device: String?
  private var satellitesUsed: Int?
  /// `nil`: no.
  private var isReduced: Bool?
  /// `nil`: what follows from the 68 % radius.
  private var horizontalAccuracy95: Double?
  private var accuracySource: AccuracySource?

  /// 2001-01-01T00:00:00Z, in seconds since 1970.
  private static let reference = 978_307_200.0

  init(_ fix: Fix) {
    self.latitude = fix.latitude
    self.longitude = fix.longitude
    self.horizontalAccuracy = fix.horizontalAccuracy
    self.altitude = fix.altitude
    self.ellipsoidalAltitude = fix.ellipsoidalAltitude
    self.verticalAccuracy = fix.verticalAccuracy
    self.speed = fix.speed
    self.speedAccuracy = fix.speedAccuracy
    self.course = fix.course
    self.courseAccuracy = fix.courseAccuracy
    self.time = fix.time.map { $0.seconds - FixForm.reference }
    self.arrival = MomentForm(fix.arrival)
    self.mode = fix.mode
    self.status = fix.status
    self.device = fix.device
    self.satellitesUsed = fix.satellitesUsed
    self.isReduced = fix.isReduced ? true : nil
    let usual95 = fix.horizontalAccuracy.map { $0 / Fix.ratio68To95 }
    self.horizontalAccuracy95 = fix.horizontalAccuracy95 == usual95 ? nil : fix.horizontalAccuracy95
    self.accuracySource = fix.accuracySource
  }

  func value(_ placement: Placement) throws(UnreadableForm) -> Fix {
    let place = try Coordinate(kept: self.latitude, self.longitude)
    if let horizontalAccuracy { _ = try positive(horizontalAccuracy) }
    if let time { _ = try clockTime(time) }
    return Fix(
      latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: self.horizontalAccuracy,
      altitude: self.altitude, ellipsoidalAltitude: self.ellipsoidalAltitude,
      verticalAccuracy: self.verticalAccuracy, speed: self.speed, speedAccuracy: self.speedAccuracy,
      course: self.course, courseAccuracy: self.courseAccuracy,
      time: self.time.map { Timestamp(seconds: $0 + FixForm.reference) },
      arrival: placement.past(self.arrival), mode: self.mode, status: self.status, device: self.device,
      satellitesUsed: self.satellitesUsed, isReduced: self.isReduced ?? false,
      horizontalAccuracy95: self.horizontalAccuracy95, accuracySource: self.accuracySource)
  }
}
