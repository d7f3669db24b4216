/// A stay at a place.
public struct Visit: Hashable, Sendable {
  public var id: String
  public var latitude: Double
  public var longitude: Double
  public var horizontalAccuracy: Double
  public var arrival: Instant?
  public var departure: Instant?

  public init(
    id: String, latitude: Double, longitude: Double, horizontalAccuracy: Double, arrival: Instant? = nil,
    departure: Instant? = nil
  ) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.arrival = arrival
    self.departure = departure
  }
}
