import Positioning

/// The search for a better fix after a significant change has one of two outcomes.
struct AcquisitionsEnd: Law {
  static let promise = Promise("docs/protocol.md", "Each search has one of the two outcomes")
  /// Until there is a first fix.
  private static let start: Duration = .seconds(60)

  private(set) var breaches: [Breach] = []
  /// Since when each program waits for an outcome.
  private var since: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program), .disconnected(let program), .notified(let program, "authorization.changed", _):
      self.since[program.plan.name] = nil
    case .notified(let program, "position.update", let message):
      switch message["params"]?["reason"]?.string {
      case "significantChange": self.since[program.plan.name] = world.awake
      case "acquired", "acquisitionFailed": self.since[program.plan.name] = nil
      case _: break
      }
    case .tick: for program in world.programs where program.isReading { self.check(program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ program: Program, in world: World) {
    guard let since = self.since[program.plan.name], case .subscribes(let parameters) = program.plan.kind,
      let budget = JSON(parameters)?["acquire"]?["budget"]?.number,
      world.awake - since > .seconds(budget) + Self.start, world.isDaemonAwake,
      !world.script.isDisturbed(from: world.elapsed - .seconds(budget) - Self.start * 2, to: world.elapsed)
    else {
      return
    }
    self.since[program.plan.name] = nil
    self.breaches.append(self.breach("\(program.plan.name): the search since \(since) has no outcome", in: world))
  }
}
