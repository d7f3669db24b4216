/// Where the device was at one moment, as its receiver reported it.
///
/// Lengths are in metres, angles in degrees (WGS 84, true north), speeds in metres per second. Values that the
/// receiver did not report are `nil`, never 0, -1 or NaN.
public struct Fix: Hashable, Sendable {
  /// How many dimensions the receiver solved for.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    case twoDimensional = "2d"
    case threeDimensional = "3d"
  }

  /// What kind of solution this is.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case gnss, dgnss, rtkFixed, rtkFloat, deadReckoning, combined, surveyed, simulated
  }

  /// Degrees north, WGS 84.
  public var latitude: Double
  /// Degrees east, WGS 84.
  public var longitude: Double
  /// Metres: the position lies within this radius with a probability of 68 %; greater than 0.
  public var horizontalAccuracy: Double?
  /// Where `horizontalAccuracy` comes from; `nil` if it is unknown or was not reported.
  public var accuracySource: AccuracySource?
  /// The radius with a probability of 95 %, if it differs from what follows from the 68 % radius for a round error.
  private var statedAccuracy95: Double?
  /// Metres above mean sea level.
  public var altitude: Double?
  /// Metres above the WGS 84 ellipsoid.
  public var ellipsoidalAltitude: Double?
  /// Metres: the altitude is that close with a probability of 68 %.
  public var verticalAccuracy: Double?
  /// Metres per second over ground.
  public var speed: Double?
  /// Metres per second.
  public var speedAccuracy: Double?
  /// The direction of movement in degrees from true north.
  public var course: Double?
  /// Degrees.
  public var courseAccuracy: Double?
  /// The receiver's own time. It does not show how fresh the fix is: receivers are wrong by minutes or decades.
  public var time: Timestamp?
  /// When the report arrived.
  public var arrival: Instant
  /// How much later than at best it arrived, if that is more than usual; it belongs to the age.
  public var lag: Duration?
  public var mode: Mode
  public var status: Status
  /// The receiver's path as gpsd knows it.
  public var device: String?
  public var satellitesUsed: Int?
  /// Whether the position is reduced because of the client's permission.
  public var isReduced: Bool
  /// Whether it can be trusted; `nil`: nothing speaks for or against it.
  public var integrity: Integrity?
  /// What speaks against it.
  public var integrityReasons: IntegrityReasons = []

  /// The precision that a client must have to know it.
  package var reveals: Precision { self.isReduced ? .reduced : .precise }

  public init(
    latitude: Double, longitude: Double, horizontalAccuracy: Double? = nil, altitude: Double? = nil,
    ellipsoidalAltitude: Double? = nil, verticalAccuracy: Double? = nil, speed: Double? = nil,
    speedAccuracy: Double? = nil, course: Double? = nil, courseAccuracy: Double? = nil, time: Timestamp? = nil,
    arrival: Instant, mode: Mode = .threeDimensional, status: Status = .gnss, device: String? = nil,
    satellitesUsed: Int? = nil, isReduced: Bool = false, horizontalAccuracy95: Double? = nil,
    accuracySource: AccuracySource? = nil
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.altitude = altitude
    self.ellipsoidalAltitude = ellipsoidalAltitude
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.time = time
    self.arrival = arrival
    self.mode = mode
    self.status = status
    self.device = device
    self.satellitesUsed = satellitesUsed
    self.isReduced = isReduced
    self.accuracySource = accuracySource
    self.horizontalAccuracy95 = horizontalAccuracy95
  }

  /// The radius with a probability of 95 %, in metres: the reported one, or what follows for a round error.
  public var horizontalAccuracy95: Double? {
    get { self.horizontalAccuracy.map { self.statedAccuracy95 ?? $0 / Fix.ratio68To95 } }
    set { self.statedAccuracy95 = newValue == self.horizontalAccuracy.map { $0 / Fix.ratio68To95 } ? nil : newValue }
  }

  /// The 68 % radius of a round two-dimensional error divided by its 95 % radius.
  public static let ratio68To95 = 0.62

  /// Whether the receiver does not know how wrong the position is. Such a fix proves neither a position nor a movement.
  public var isVague: Bool { self.accuracySource == .vague }

  /// Whether it may decide anything: where the device is or was, and what is learned of the receiver.
  package var castsVotes: Bool { self.integrity != .untrusted }

  /// How old the position is: how long ago its report arrived, and its lag.
  public func age(at now: Instant) -> Duration {
    now - self.ageBegin
  }

  /// The moment from which the age counts.
  public var ageBegin: Instant { self.arrival - (self.lag ?? .zero) }

  /// The place alone.
  public var coordinate: Coordinate {
    Coordinate(latitude: self.latitude, longitude: self.longitude)
  }
}

/// Where a fix's horizontal accuracy comes from.
public enum AccuracySource: String, Hashable, Sendable, CaseIterable {
  /// Standard deviations that the receiver gave for this fix (NMEA's GST and GBS).
  case standardDeviations
  /// Standard deviations that the receiver gave a little earlier, because those of this fix are missing.
  case earlierDeviations
  /// The receiver's own estimate, in its binary protocol.
  case receiver
  /// An estimate of gpsd, a radius with a probability of 95 %.
  case nominal95
  /// The horizontal dilution of precision, multiplied by the configured error per unit.
  case dilution
  /// The configured accuracy for receivers that report none.
  case assumed
  /// No source: the receiver's estimate or dilution of precision is too large to be meaningful.
  case vague
}
