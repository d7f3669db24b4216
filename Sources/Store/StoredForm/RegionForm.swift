import Broker
import FoundationEssentials
import Positioning

/// A region, in a body.
struct RegionForm: Codable {
  private struct Circle: Codable {
    var latitude: Double
    var longitude: Double
    var radius: Double
  }

  private var id: String
  private var circle: Circle?
  /// As older versions kept it: latitude and longitude in turn.
  private var polygon: [Double]?
  /// The same numbers as 8 bytes each, the lowest first: a start reads them many times as fast as words.
  private var corners: Data?
  private var notify: [RegionEventKind]
  private var dwellTime: DurationForm?
  private var latency: DurationForm?
  private var expiresIn: DurationForm?
  private var initial: InitialReport
  /// A polygon's, in metres. Absent in what older versions kept: it is found again.
  private var reach: Double?
  /// The same of what holds it: the centre, a unit vector, and the angle to the rim.
  private var cap: [Double]?

  init(_ stored: StoredRegion) {
    let region = stored.region
    self.reach = stored.reach
    self.cap = stored.cap.map { [$0.center.x, $0.center.y, $0.center.z, $0.angle] }
    self.id = region.id
    switch region.shape {
    case .circle(let center, let radius):
      self.circle = Circle(latitude: center.latitude, longitude: center.longitude, radius: radius)
    case .polygon(let corners):
      self.corners = Data(packing: corners.flatMap { [$0.latitude, $0.longitude] })
    }
    self.notify = RegionEventKind.allCases.filter { region.notify.contains($0) }
    self.dwellTime = region.dwellTime.map { DurationForm($0) }
    self.latency = region.latency.map { DurationForm($0) }
    self.expiresIn = region.expiresIn.map { DurationForm($0) }
    self.initial = region.initial
  }

  func value(standing: RegionStanding) throws(UnreadableForm) -> StoredRegion {
    let cap = self.cap.flatMap { numbers in
      numbers.count == 4 ? Cap(center: Vector(x: numbers[0], y: numbers[1], z: numbers[2]), angle: numbers[3]) : nil
    }
    return StoredRegion(region: try self.region(cap), standing: standing, reach: self.reach, cap: cap)
  }

  /// How long it lasts from when it was added.
  var lifetime: Duration? { self.expiresIn?.value }

  private func region(_ cap: Cap?) throws(UnreadableForm) -> Region {
    let region = Region(
      id: self.id, shape: try self.shape(), notify: Set(self.notify), dwellTime: self.dwellTime?.value,
      latency: self.latency?.value, expiresIn: self.expiresIn?.value, initial: self.initial)
    do throws(InvalidRegion) {
      try region.checkUsable(cap: cap)
    } catch {
      throw UnreadableForm("a region whose \(error.parameter) is not \(error.expected)")
    }
    return region
  }

  private func shape() throws(UnreadableForm) -> RegionShape {
    if let circle {
      return .circle(
        center: Coordinate(latitude: circle.latitude, longitude: circle.longitude), radius: circle.radius)
    }
    guard let numbers = self.corners.flatMap({ $0.unpacked }) ?? self.polygon, numbers.count.isMultiple(of: 2) else {
      throw UnreadableForm("a region that is no circle and no polygon")
    }
    return .polygon(
      stride(from: 0, to: numbers.count, by: 2).map {
        Coordinate(latitude: numbers[$0], longitude: numbers[$0 + 1])
      })
  }
}

extension Data {
  fileprivate init(packing numbers: [Double]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * numbers.count)
    for number in numbers {
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64(place)))) }
    }
    self.init(bytes)
  }

  /// `nil` where the last number is not whole.
  fileprivate var unpacked: [Double]? {
    guard self.count.isMultiple(of: 8) else { return nil }
    let bytes = [UInt8](self)
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      var pattern: UInt64 = 0
      for place in 0..<8 { pattern |= UInt64(bytes[start + place]) << (8 * UInt64(place)) }
      return Double(bitPattern: pattern)
    }
  }
}

/// What is known of a region, in a body.
struct StandingForm: Codable {
  private var state: RegionState
  private var since: MomentForm?
  private var hasDwelled: Bool?
  private var expiry: MomentForm?

  init(_ standing: RegionStanding) {
    self.state = standing.state
    self.since = standing.since.map { MomentForm($0) }
    self.hasDwelled = standing.hasDwelled
    self.expiry = standing.expiry.map { MomentForm($0) }
  }

  /// Leaves nothing but when the region ends.
  mutating func forget() { (self.state, self.since, self.hasDwelled) = (.unknown, nil, false) }

  /// - Parameter expiresIn: the region's.
  func value(_ placement: Placement, expiresIn: Duration?) -> RegionStanding {
    RegionStanding(
      state: self.state, since: self.since.map { placement.past($0) }, hasDwelled: self.hasDwelled ?? false,
      expiry: self.expiry.map { placement.future($0, within: expiresIn) })
  }
}

/// A body that is JSON of the right form, and means nothing.
struct UnreadableForm: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
