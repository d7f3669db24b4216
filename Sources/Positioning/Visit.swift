/// A stay of the device at one place.
///
/// It is reported twice, with the same `id`: without a departure when the device has been at rest there for a while, and
/// again when the device has left.
public struct Visit: Hashable, Sendable {
  /// The visit's number, the same in both reports; later visits have greater ones.
  public var id: Int
  /// Degrees north, WGS 84: the middle of the stay.
  public var latitude: Double
  /// Degrees east, WGS 84.
  public var longitude: Double
  /// Metres: the middle lies within this radius with a probability of 68 %.
  public var horizontalAccuracy: Double
  /// When the device arrived, by the best estimate; `nil` if it may have been there before it was watched.
  ///
  /// It may be before the boot, and then less than 0.
  public var arrival: Instant?
  /// How much earlier or later than `arrival` the device may have arrived; `nil` if unknown.
  public var arrivalUncertainty: Duration?
  /// When it left, by the best estimate; `nil` while it stays.
  public var departure: Instant?
  /// How much earlier or later than `departure` the device may have left; `nil` if unknown.
  public var departureUncertainty: Duration?

  public init(
    id: Int, latitude: Double, longitude: Double, horizontalAccuracy: Double, arrival: Instant? = nil,
    arrivalUncertainty: Duration? = nil, departure: Instant? = nil, departureUncertainty: Duration? = nil
  ) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.arrival = arrival
    self.arrivalUncertainty = arrivalUncertainty
    self.departure = departure
    self.departureUncertainty = departureUncertainty
  }

  public var coordinate: Coordinate {
    Coordinate(latitude: self.latitude, longitude: self.longitude)
  }
}
