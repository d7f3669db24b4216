/// A place on the WGS 84 ellipsoid.
public struct Coordinate: Hashable, Sendable {
  /// Degrees, positive north, -90...90.
  public var latitude: Double
  /// Degrees, positive east, -180...180.
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
