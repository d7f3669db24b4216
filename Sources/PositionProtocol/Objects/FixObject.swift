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
  public var isReduced: Bool

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

  public static let wire = ObjectCodec<FixObject>(
    "Fix", blank: FixObject(latitude: 0, longitude: 0, arrival: 0, age: 0, mode: .fallback, status: .fallback)
  ) {
    Field.required("latitude", \.latitude, .number(.latitude), example: 48.137154321, "Degrees north, WGS 84.")
    Field.required("longitude", \.longitude, .number(.longitude), example: 11.575382123, "Degrees east, WGS 84.")
    Field.optional(
      "horizontalAccuracy", \.horizontalAccuracy, .number(.meters), example: 3.1,
      "Metres: the position lies within this radius with a probability of 68 %.")
    Field.optional(
      "horizontalAccuracy95", \.horizontalAccuracy95, .number(.meters), example: 5,
      "Metres: the radius of 95 % probability.")
    Field.optional("altitude", \.altitude, .number(.any), example: 519.2, "Metres above mean sea level.")
    Field.optional(
      "ellipsoidalAltitude", \.ellipsoidalAltitude, .number(.any), example: 565.9,
      "Metres above the WGS 84 ellipsoid.")
    Field.optional(
      "verticalAccuracy", \.verticalAccuracy, .number(.meters), example: 6.4,
      "Metres: the altitude is that close with a probability of 68 %.")
    Field.optional("speed", \.speed, .number(.nonNegative), example: 1.42, "Metres per second over ground.")
    Field.optional("speedAccuracy", \.speedAccuracy, .number(.nonNegative), example: 0.3, "Metres per second.")
    Field.optional(
      "course", \.course, .number(.any), example: 271.5,
      "The direction of movement in degrees from true north.")
    Field.optional("courseAccuracy", \.courseAccuracy, .number(.nonNegative), example: 4, "Degrees.")
    Field.optional(
      "time", \.time, Timestamp.codec, example: "2026-01-31T12:00:00.000Z",
      "The receiver's own time. Data, not a measure of freshness: receivers are wrong by minutes and by decades.")
    Field.required(
      "arrival", \.arrival, .number(.nonNegative), example: 1234.567,
      "When the receiver's report arrived: seconds on CLOCK_BOOTTIME, for readers on the same machine.")
    Field.required(
      "age", \.age, .number(.nonNegative), example: 0.25,
      "Seconds since the arrival, when this was written.")
    Field.required("mode", \.mode, Fix.Mode.codec, example: "3d", "How many dimensions the receiver solved for.")
    Field.required("status", \.status, Fix.Status.codec, example: "gnss", "What kind of solution it is.")
    Field.optional("device", \.device, .string, example: "/dev/ttyACM0", "The receiver's path as gpsd knows it.")
    Field.optional(
      "satellitesUsed", \.satellitesUsed, .integer(minimum: 0), example: 9,
      "How many satellites the solution uses.")
    Field.flag(
      "reduced", \.isReduced, "True where precision was taken away because of the client's permission, else absent.")
  }
}
