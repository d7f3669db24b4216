import Broker
import JSONRPC
import Positioning

/// A region without its state, which is in a column.
struct RegionRecord: Record {
  private var cap: Cap?
  private var circle: Circle?
  private var corners: [Double]?
  private var dwellTime: Duration?
  /// The time from when it was added to its end.
  private(set) var expiresIn: Duration?
  private var id = ""
  private var initial = InitialReport.none
  private var latency: Duration?
  private var notify: [RegionEventKind] = []
  private var polygon: [Double]?
  private var reach: Double?

  static let record = ObjectCodec<RegionRecord>(blank: RegionRecord()) {
    // Older versions stored no cap and reach of a polygon; they are computed again.
    Field.optional("cap", \.cap, .cap)
    Field.optional("circle", \.circle, Circle.record.codec)
    Field.optional("corners", \.corners, .packedNumbers)
    Field.optional("dwellTime", \.dwellTime, .duration)
    Field.optional("expiresIn", \.expiresIn, .duration)
    Field.required("id", \.id, .string)
    Field.required("initial", \.initial, .word)
    Field.optional("latency", \.latency, .duration)
    Field.required("notify", \.notify, .array(of: .word))
    // The corners as older versions stored them: latitude and longitude in turn.
    Field.optional("polygon", \.polygon, .array(of: .number))
    Field.optional("reach", \.reach, .number)
  }

  private init() {}

  init(_ stored: StoredRegion) {
    let region = stored.region
    self.reach = stored.reach
    self.cap = stored.cap
    self.id = region.id
    switch region.shape {
    case .circle(let center, let radius):
      self.circle = Circle(latitude: center.latitude, longitude: center.longitude, radius: radius)
    case .polygon(let corners): self.corners = corners.flatMap { [$0.latitude, $0.longitude] }
    }
    self.notify = RegionEventKind.allCases.filter { region.notify.contains($0) }
    self.dwellTime = region.dwellTime
    self.latency = region.latency
    self.expiresIn = region.expiresIn
    self.initial = region.initial
  }

  func region(_ snapshot: RegionSnapshot) throws(UnreadableRecord) -> StoredRegion {
    let region = Region(
      id: self.id, shape: try self.shape, notify: Set(self.notify), dwellTime: self.dwellTime, latency: self.latency,
      expiresIn: self.expiresIn, initial: self.initial)
    do throws(InvalidRegion) {
      try region.checkUsable(cap: self.cap)
    } catch {
      throw UnreadableRecord("a region whose \(error.parameter) is not \(error.expected)")
    }
    return StoredRegion(region: region, snapshot: snapshot, reach: self.reach, cap: self.cap)
  }

  private var shape: RegionShape {
    get throws(UnreadableRecord) {
      if let circle {
        return .circle(
          center: Coordinate(latitude: circle.latitude, longitude: circle.longitude), radius: circle.radius)
      }
      guard let numbers = self.corners ?? self.polygon, numbers.count.isMultiple(of: 2) else {
        throw UnreadableRecord("a region that is no circle and no polygon")
      }
      return .polygon(
        stride(from: 0, to: numbers.count, by: 2).map {
          Coordinate(latitude: numbers[$0], longitude: numbers[$0 + 1])
        })
    }
  }
}

private struct Circle: Record {
  var latitude = 0.0
  var longitude = 0.0
  var radius = 0.0

  static let record = ObjectCodec<Circle>(blank: Circle()) {
    Field.required("latitude", \.latitude, .number)
    Field.required("longitude", \.longitude, .number)
    Field.required("radius", \.radius, .number)
  }
}

extension Codec where Value == Cap {
  /// The centre, a unit vector, and the angle to the rim. An array that does not have four numbers is no cap.
  fileprivate static var cap: Codec {
    let numbers = Codec<[Double]>.array(of: .number)
    let write = numbers.write
    let read: @Sendable (JSONView, ReadingContext) throws(CodingFailure) -> Cap? = {
      (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Cap? in
      let parts = try numbers.read(view, context)
      guard parts.count == 4 else { return nil }
      return Cap(center: Vector(x: parts[0], y: parts[1], z: parts[2]), angle: parts[3])
    }
    return Codec(
      numbers.schema(),
      write: { cap, writer in write([cap.center.x, cap.center.y, cap.center.z, cap.angle], &writer) },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Cap in
        guard let cap = try read(view, context) else { throw CodingFailure(.described("not four numbers")) }
        return cap
      }, readIfKnown: read)
  }
}
