import Geodesy
import Glibc
import Positioning

@testable import Broker

/// A plane around (50, 8), in metres east and north of its middle; flat enough for 20 km.
enum LocalPlane {
  private static let origin = Coordinate(latitude: 50, longitude: 8)
  /// Metres for each degree there, of WGS 84.
  private static let perLatitude = 111_229.06
  private static let perLongitude = 71_695.75

  static func place(_ east: Double, _ north: Double = 0) -> Coordinate {
    Coordinate(
      latitude: self.origin.latitude + north / self.perLatitude,
      longitude: self.origin.longitude + east / self.perLongitude)
  }
}

/// A fix on the plane; `accuracy95` is the 95 % radius, nominally gpsd's `eph`.
func fix(
  _ seconds: Double, _ east: Double, _ north: Double = 0, accuracy95: Double? = 12, speed: Double? = nil
) -> Fix {
  let place = LocalPlane.place(east, north)
  return Fix(
    latitude: place.latitude, longitude: place.longitude,
    horizontalAccuracy: accuracy95.map { $0 * Fix.ratio68To95 }, speed: speed, arrival: at(seconds))
}

/// A circle on the plane.
func circle(
  _ id: String = "home", _ east: Double = 0, _ north: Double = 0, radius: Double = 50,
  _ change: (inout Region) -> Void = { _ in }
) -> Region {
  var region = Region(id: id, shape: .circle(center: LocalPlane.place(east, north), radius: radius))
  change(&region)
  return region
}

/// A polygon on the plane.
func polygon(
  _ vertices: [(Double, Double)], id: String = "field", _ change: (inout Region) -> Void = { _ in }
) -> Region {
  var region = Region(id: id, shape: .polygon(vertices.map { LocalPlane.place($0.0, $0.1) }))
  change(&region)
  return region
}

/// A receiver's error: an autoregressive walk in each direction, which loses a tenth of its past each second, scaled to
/// the reported accuracy.
struct SimulatedError {
  /// The reported 95 % radii, each with its share of the time.
  static let mix = [(12.0, 0.90), (60, 0.08), (600, 0.02)]
  private static let memory = 0.9

  private var random: SeededRandom
  private var east: Double
  private var north: Double
  /// The ratio of the error to the reported one.
  private let lie: Double

  init(seed: UInt64, lie: Double = 1) {
    self.random = SeededRandom(seed: seed)
    self.lie = lie
    (self.east, self.north) = self.random.gaussians()
  }

  /// The error of the next second and the accuracy reported with it.
  mutating func next() -> (east: Double, north: Double, accuracy95: Double) {
    let (east, north) = self.random.gaussians()
    let fresh = (1 - Self.memory * Self.memory).squareRoot()
    self.east = Self.memory * self.east + fresh * east
    self.north = Self.memory * self.north + fresh * north
    var rest = Double.random(in: 0..<1, using: &self.random)
    let accuracy95 =
      Self.mix.first {
        rest -= $0.1; return rest < 0
      }?.0 ?? 12
    let scale = self.lie * accuracy95 / CircularError.radius95
    return (self.east * scale, self.north * scale, accuracy95)
  }
}

extension SeededRandom {
  /// Two independent numbers of the normal distribution.
  mutating func gaussians() -> (Double, Double) {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
    let angle = Double.random(in: 0..<(2 * .pi), using: &self)
    return (radius * cos(angle), radius * sin(angle))
  }
}
