import Geodesy
import Positioning

@testable import Broker

/// A device with a reduced position, for years, and what an observer sees of it.
struct FuzzedDevice {
  /// One published fix, in metres of a plane around the device's first place.
  struct Observation {
    /// Since the first one.
    let hours: Double
    let east: Stretch
    let north: Stretch
    /// The secret offset.
    let offset: (east: Double, north: Double)
    /// The true place of the device.
    let truth: (east: Double, north: Double)
  }

  /// The times of each kind of estimate, in days.
  static let horizons: [Double] = [1, 7, 14, 30, 90, 365]

  /// Hours at which fixes are published: each 10 minutes of a day, every other hour of a month, then two a day. More
  /// would reveal hardly more: the offset drifts by 15 m in an hour.
  static let moments: [Double] =
    stride(from: 0.0, to: 24, by: 1.0 / 6).map { $0 } + stride(from: 24.0, to: 720, by: 2).map { $0 }
    + stride(from: 720.0, through: 365 * 24, by: 12).map { $0 }

  private let origin: Coordinate
  private var fuzzer: LocationFuzzer

  init(seed: UInt64, at origin: Coordinate) {
    self.origin = origin
    self.fuzzer = LocationFuzzer(seed: seed, now: FuzzedDevice.moment(0))
  }

  private static func moment(_ hours: Double) -> Instant { at((hours * 3600).rounded()) }

  /// The published fix while the device is this far from its first place, in metres.
  mutating func show(_ hours: Double, east: Double = 0, north: Double = 0) -> Observation? {
    let now = Self.moment(hours)
    let place = self.origin.moved(east: east, north: north)
    let fix = Fix(latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: 5, arrival: now)
    guard let shown = self.fuzzer.fixed(fix, now: now) else { return nil }
    let cell = GridCell(holding: shown.coordinate)
    let (x, y) = self.origin.flat(to: cell.middle)
    let (width, height) = self.origin.flat(width: cell.width, height: cell.height)
    let snapshot = self.fuzzer.snapshot
    return Observation(
      hours: hours, east: Stretch(low: x - width / 2, high: x + width / 2),
      north: Stretch(low: y - height / 2, high: y + height / 2), offset: (snapshot.east, snapshot.north),
      truth: (east, north))
  }
}

/// Metres of a degree on the mean sphere, on which places are moved.
enum GeodeticMetre {
  static let perDegree = 6_371_008.8 * Double.pi / 180
}

extension Coordinate {
  /// Metres of a degree of longitude here.
  private var perLongitude: Double {
    let normal = self.normal
    return GeodeticMetre.perDegree * (normal.x * normal.x + normal.y * normal.y).squareRoot()
  }

  /// The place at this distance on a plane around this one, for some kilometres.
  func moved(east: Double, north: Double) -> Coordinate {
    Coordinate(
      latitude: self.latitude + north / GeodeticMetre.perDegree, longitude: self.longitude + east / self.perLongitude)
  }

  func flat(to other: Coordinate) -> (east: Double, north: Double) {
    (
      (other.longitude - self.longitude).wrappedLongitude * self.perLongitude,
      (other.latitude - self.latitude) * GeodeticMetre.perDegree
    )
  }

  /// Degrees as metres.
  func flat(width: Double, height: Double) -> (Double, Double) {
    (width * self.perLongitude, height * GeodeticMetre.perDegree)
  }
}
