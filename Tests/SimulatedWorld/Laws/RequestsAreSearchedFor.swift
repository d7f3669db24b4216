import Positioning

/// Whoever waits for a new position has the receiver on, even if a search just before was in vain.
struct RequestsAreSearchedFor: Law {
  static let promise = Promise("docs/energy.md", "A new request or subscription ends the pause.")
  /// After so long the receiver is on, and until then the search of a minute is not over.
  private static let search: Range<Duration> = .seconds(20) ..< .seconds(52)
  private static let recovery: Duration = .seconds(720)

  private(set) var breaches: [Breach] = []
  private var isWatched = false
  private var isOn = true
  private var reported: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .hardware(let isWatched, _): self.isWatched = isWatched
    case .radio(let isOn): self.isOn = isOn
    case .tick:
      guard !(self.isWatched && self.isOn), world.script.rung != .unit, world.isDaemonAwake else { return }
      for program in world.programs { self.check(program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ program: Program, in world: World) {
    for request in program.waiting where request.method == "position.get" {
      guard Self.search.contains(world.awake - request.sentAwake), program.isReading,
        !world.script.asks(program.plan),
        !world.script.isDisturbed(from: request.sentAt - Self.recovery, to: world.elapsed, by: { $0 != .noSky }),
        self.reported.insert("\(program.plan.name) \(request.id)").inserted
      else {
        continue
      }
      self.breaches.append(
        self.breach("\(program.plan.name) waits since \(request.sentAt), and the receiver is off", in: world))
    }
  }
}
