/// A stay of the device at one place.
///
/// It is told twice: when the device has rested there for a while, then without a departure, and when the device has
/// left. Both tellings have the same `id`.
public struct Visit: Hashable, Sendable {
  /// Its number on this device; later visits have greater ones.
  public var id: Int
  /// Degrees, positive north: the middle of the stay so far.
  public var latitude: Double
  /// Degrees, positive east.
  public var longitude: Double
  /// The radius within which the middle lies with a probability of 68 %, in metres; greater than 0.
  public var horizontalAccuracy: Double
  /// When the device was first seen there; `nil` where it may have been there before it was looked for.
  ///
  /// It may be before the boot, and then less than 0.
  public var arrival: Instant?
  /// When the device was last seen there; `nil` while it is there.
  public var departure: Instant?

  public init(
    id: Int, latitude: Double, longitude: Double, horizontalAccuracy: Double, arrival: Instant? = nil,
    departure: Instant? = nil
  ) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.arrival = arrival
    self.departure = departure
  }

  public var coordinate: Coordinate {
    Coordinate(latitude: self.latitude, longitude: self.longitude)
  }
}
