import Positioning
import ReceiverSimulator

/// A route around a circle that leads through a gate every half a minute, beginning on the other side.
enum GateRoute {
  private static let centre = Coordinate(latitude: 48.137, longitude: 11.575)
  private static let radius = 200.0

  /// Due west of the middle; the route begins in the east.
  static let gate = Region(
    id: "gate", shape: .circle(center: Self.centre.moved(distance: Self.radius, course: 270), radius: Self.gateRadius))
  static let gateRadius = 80.0

  /// Metres from the gate's middle.
  static func distance(_ fix: Fix?) -> Double {
    guard let fix, case .circle(let middle, _) = Self.gate.shape else { return .nan }
    return meters(fix.coordinate, middle)
  }

  /// The gate as a value of `--circle`.
  static var circle: String {
    guard case .circle(let middle, let radius) = Self.gate.shape else { return "" }
    return "\(middle.latitude),\(middle.longitude),\(radius)m"
  }

  static func fixture() throws -> IntegrationFixture {
    var settings = IntegrationFixture.Settings()
    settings.receiver.route = .circle(centre: Self.centre, radius: Self.radius, speed: 40)
    settings.receiver.period = .milliseconds(200)
    return try IntegrationFixture(settings)
  }
}
