import JSONRPC
public import Positioning

extension RegionObject {
  /// A corner of a polygon; on the wire an array of its latitude and its longitude.
  public struct Corner: Hashable, Sendable {
    public var coordinate: Coordinate

    public init(_ coordinate: Coordinate) { self.coordinate = coordinate }
  }
}

extension RegionObject.Corner {
  static let codec: Codec<RegionObject.Corner> = Codec(
    .array(.number(.any)),
    write: { corner, writer in
      writer.openArray()
      writer.element()
      writer.number(corner.coordinate.latitude)
      writer.element()
      writer.number(corner.coordinate.longitude)
      writer.closeArray()
    },
    read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> RegionObject.Corner in
      var numbers = view.elements.makeIterator()
      guard let latitude = numbers.next()?.double, abs(latitude) <= 90, let longitude = numbers.next()?.double,
        abs(longitude) <= 180, numbers.next() == nil
      else { throw CodingFailure(.described("expected a latitude from -90 to 90 and a longitude from -180 to 180")) }
      return RegionObject.Corner(Coordinate(latitude: latitude, longitude: longitude))
    })
}
