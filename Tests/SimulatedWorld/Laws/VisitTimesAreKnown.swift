import Positioning

/// An arrival that nobody knows is not given, and a departure is as certain as the looks before it are close together.
struct VisitTimesAreKnown: Law {
  static let promise = Promise(
    "docs/protocol.md", "After more than 15 minutes without a fix the arrival is not known, and absent.")
  /// Seconds by which either may be wrong: the longest silence that is known, and more than a look every 10 minutes.
  private static let bound = 905.0

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "visit.update", let message) = observation,
      let visit = message["params"]?["visit"]
    else {
      return
    }
    if let uncertainty = visit["arrivalUncertainty"]?.number, uncertainty > Self.bound {
      self.breaches.append(
        self.breach("\(program.plan.name): an arrival that may be wrong by \(uncertainty) s", in: world))
    }
    if let uncertainty = visit["departureUncertainty"]?.number, uncertainty > Self.bound, Self.isCalm(in: world) {
      self.breaches.append(
        self.breach("\(program.plan.name): a departure that may be wrong by \(uncertainty) s", in: world))
    }
  }

  /// Whether the receiver could look every 10 minutes: pauses after a time without sky are no longer than that was.
  private static func isCalm(in world: World) -> Bool {
    let since = world.elapsed - .seconds(1500)
    return world.script.faults.allSatisfy {
      $0.at > world.elapsed || ($0.kind == .noSky && $0.at + $0.lasts * 2 + .seconds(300) < since)
    }
  }
}
