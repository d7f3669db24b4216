public import JSONRPC
public import Positioning

/// Where the device was at one moment. What is not known is absent.
public struct FixObject: DescribedObject {
  /// Degrees north, WGS 84.
  public var latitude: Double
  /// Degrees east, WGS 84.
  public var longitude: Double
  /// Metres: the position lies within this radius with a probability of 68 %.
  public var horizontalAccuracy: Double?
  /// Metres: the radius of 95 % probability.
  public var horizontalAccuracy95: Double?
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
  /// The receiver's own time. Data, not a measure of freshness: receivers are wrong by minutes and by decades.
  public var time: Timestamp?
  /// When the receiver's report arrived: seconds on CLOCK_BOOTTIME, for readers on the same machine.
  public var arrival: Double
  /// Seconds since the arrival, when this was written.
  public var age: Double
  /// How many dimensions the receiver solved for.
  public var mode: Fix.Mode
  /// What kind of solution it is.
  public var status: Fix.Status
  /// The receiver's path as gpsd knows it.
  public var device: String?
  /// How many satellites the solution uses.
  public var satellitesUsed: Int?
  /// True where precision was taken away because of the client's permission, else absent.
  @TrueOrAbsent public var isReduced: Bool

  public init(
    latitude: Double, longitude: Double, horizontalAccuracy: Double? = nil, horizontalAccuracy95: Double? = nil,
    altitude: Double? = nil, ellipsoidalAltitude: Double? = nil, verticalAccuracy: Double? = nil, speed: Double? = nil,
    speedAccuracy: Double? = nil, course: Double? = nil, courseAccuracy: Double? = nil, time: Timestamp? = nil,
    arrival: Double, age: Double, mode: Fix.Mode, status: Fix.Status, device: String? = nil, satellitesUsed: Int? = nil,
    isReduced: Bool = false
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.horizontalAccuracy95 = horizontalAccuracy95
    self.altitude = altitude
    self.ellipsoidalAltitude = ellipsoidalAltitude
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.time = time
    self.arrival = arrival
    self.age = age
    self.mode = mode
    self.status = status
    self.device = device
    self.satellitesUsed = satellitesUsed
    self.isReduced = isReduced
  }

  private enum CodingKeys: String, CodingKey {
    case latitude
    case longitude
    case horizontalAccuracy
    case horizontalAccuracy95
    case altitude
    case ellipsoidalAltitude
    case verticalAccuracy
    case speed
    case speedAccuracy
    case course
    case courseAccuracy
    case time
    case arrival
    case age
    case mode
    case status
    case device
    case satellitesUsed
    case isReduced = "reduced"
  }

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "latitude", .number(.latitude), example: 48.137154321,
      "Degrees north, WGS 84."),
    FieldDescription(
      "longitude", .number(.longitude), example: 11.575382123,
      "Degrees east, WGS 84."),
    FieldDescription(
      "horizontalAccuracy", .number(.meters), .optional, example: 3.1,
      "Metres: the position lies within this radius with a probability of 68 %."),
    FieldDescription(
      "horizontalAccuracy95", .number(.meters), .optional, example: 5,
      "Metres: the radius of 95 % probability."),
    FieldDescription(
      "altitude", .number(.any), .optional, example: 519.2,
      "Metres above mean sea level."),
    FieldDescription(
      "ellipsoidalAltitude", .number(.any), .optional, example: 565.9,
      "Metres above the WGS 84 ellipsoid."),
    FieldDescription(
      "verticalAccuracy", .number(.meters), .optional, example: 6.4,
      "Metres: the altitude is that close with a probability of 68 %."),
    FieldDescription(
      "speed", .number(.nonNegative), .optional, example: 1.42,
      "Metres per second over ground."),
    FieldDescription(
      "speedAccuracy", .number(.nonNegative), .optional, example: 0.3,
      "Metres per second."),
    FieldDescription(
      "course", .number(.any), .optional, example: 271.5,
      "The direction of movement in degrees from true north."),
    FieldDescription(
      "courseAccuracy", .number(.nonNegative), .optional, example: 4,
      "Degrees."),
    FieldDescription(
      "time", .time, .optional, example: "2026-01-31T12:00:00.000Z",
      "The receiver's own time. Data, not a measure of freshness: receivers are wrong by minutes and by decades."),
    FieldDescription(
      "arrival", .number(.nonNegative), example: 1234.567,
      "When the receiver's report arrived: seconds on CLOCK_BOOTTIME, for readers on the same machine."),
    FieldDescription(
      "age", .number(.nonNegative), example: 0.25,
      "Seconds since the arrival, when this was written."),
    FieldDescription(
      "mode", .choice(of: Fix.Mode.self), example: "3d",
      "How many dimensions the receiver solved for."),
    FieldDescription(
      "status", .choice(of: Fix.Status.self), example: "gnss",
      "What kind of solution it is."),
    FieldDescription(
      "device", .string(maximumBytes: nil), .optional, example: "/dev/ttyACM0",
      "The receiver's path as gpsd knows it."),
    FieldDescription(
      "satellitesUsed", .integer(minimum: 0), .optional, example: 9,
      "How many satellites the solution uses."),
    FieldDescription(
      "reduced", .boolean, .optional, example: true,
      "True where precision was taken away because of the client's permission, else absent."),
  ]
}
