import Positioning

/// A sky has all satellites that the receiver sees, however gpsd reports them.
struct SkiesAreWhole: Law {
  static let promise = Promise("docs/protocol.md", "The fullest report of a cycle is delivered")

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "sky.update", let message) = observation,
      let satellites = message["params"]?["satellites"]?.elements, !satellites.isEmpty,
      satellites.count < Speech.satellites, world.isCalmForReports
    else {
      return
    }
    self.breaches.append(
      self.breach("\(program.plan.name) gets \(satellites.count) of \(Speech.satellites) satellites", in: world))
  }
}
