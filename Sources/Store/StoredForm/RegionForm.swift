import Broker
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
  /// Latitude and longitude in turn.
  private var polygon: [Double]?
  private var notify: [RegionEventKind]
  private var dwellTime: DurationForm?
  private var latency: DurationForm?
  private var expiresIn: DurationForm?
  private var initial: InitialReport
  /// A polygon's, in metres. Absent in what older versions kept: it is found again.
  private var reach: Double?

  init(_ stored: StoredRegion) {
    let region = stored.region
    self.reach = stored.reach
    self.id = region.id
    switch region.shape {
    case .circle(let center, let radius):
      self.circle = Circle(latitude: center.latitude, longitude: center.longitude, radius: radius)
    case .polygon(let corners):
      self.polygon = corners.flatMap { [$0.latitude, $0.longitude] }
    }
    self.notify = RegionEventKind.allCases.filter { region.notify.contains($0) }
    self.dwellTime = region.dwellTime.map { DurationForm($0) }
    self.latency = region.latency.map { DurationForm($0) }
    self.expiresIn = region.expiresIn.map { DurationForm($0) }
    self.initial = region.initial
  }

  func value(standing: RegionStanding) throws(UnreadableForm) -> StoredRegion {
    StoredRegion(region: try self.region(), standing: standing, reach: self.reach)
  }

  /// How long it lasts from when it was added.
  var lifetime: Duration? { self.expiresIn?.value }

  private func region() throws(UnreadableForm) -> Region {
    let region = Region(
      id: self.id, shape: try self.shape(), notify: Set(self.notify), dwellTime: self.dwellTime?.value,
      latency: self.latency?.value, expiresIn: self.expiresIn?.value, initial: self.initial)
    do throws(InvalidRegion) {
      try region.checkUsable()
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
    guard let polygon, polygon.count.isMultiple(of: 2) else {
      throw UnreadableForm("a region that is no circle and no polygon")
    }
    return .polygon(
      stride(from: 0, to: polygon.count, by: 2).map {
        Coordinate(latitude: polygon[$0], longitude: polygon[$0 + 1])
      })
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
