import Glibc
import Positioning

/// What a program gets of one of its regions.
struct RegionReport {
  let program: Program
  let region: ProgramPlan.RegionPlan
  let event: JSON
  let kind: String

  /// `nil`: it is something else.
  init?(_ observation: Observation) {
    guard case .notified(let program, "region.event", let message) = observation,
      case .watches(let regions, _) = program.plan.kind, let event = message["params"],
      let kind = event["event"]?.string, let region = regions.first(where: { $0.id == event["id"]?.string })
    else {
      return nil
    }
    (self.program, self.region, self.event, self.kind) = (program, region, event, kind)
  }

  var key: String { Self.key(self.program, self.region.id) }

  static func key(_ program: Program, _ id: String) -> String { "\(program.plan.name) \(id)" }

  var isInitial: Bool { self.event["initial"] != nil }

  /// The true time of the fix that decided.
  func moment(in world: World) -> Duration? { self.event["fix"]?["time"]?.time.map { world.moment(of: $0) } }

  /// How far from the region's middle its fix is, in metres, on the ellipsoid; to some kilometres exact to a millimetre.
  var distance: Double? {
    guard let latitude = self.event["fix"]?["latitude"]?.number, let longitude = self.event["fix"]?["longitude"]?.number
    else {
      return nil
    }
    let middle = Track.degrees(of: self.region.center)
    let angle = (latitude + middle.latitude) / 2 * .pi / 180
    let (axis, flattening) = (6_378_137.0, 0.006_694_379_990_14)
    let root = (1 - flattening * sin(angle) * sin(angle)).squareRoot()
    let north = (latitude - middle.latitude) * .pi / 180 * axis * (1 - flattening) / (root * root * root)
    let east = (longitude - middle.longitude) * .pi / 180 * axis / root * cos(angle)
    return hypot(east, north)
  }
}
