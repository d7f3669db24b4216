public import Positioning

extension RegionObject {
  /// A corner of a polygon; on the wire an array of its latitude and its longitude.
  public struct Corner: Hashable, Sendable {
    public var coordinate: Coordinate

    public init(_ coordinate: Coordinate) { self.coordinate = coordinate }
  }
}

extension RegionObject.Corner: Codable {
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let coordinate = Coordinate(
      latitude: try container.decode(Double.self), longitude: try container.decode(Double.self))
    guard container.isAtEnd, abs(coordinate.latitude) <= 90, abs(coordinate.longitude) <= 180 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "expected a latitude from -90 to 90 and a longitude from -180 to 180"))
    }
    self.coordinate = coordinate
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(self.coordinate.latitude)
    try container.encode(self.coordinate.longitude)
  }
}
