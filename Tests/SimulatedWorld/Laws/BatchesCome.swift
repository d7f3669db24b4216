import Positioning

/// A batch is delivered when its time is over.
struct BatchesCome: Law {
  static let promise = Promise(
    "docs/protocol.md", "or `deferredTimeout` after its first fix; one of the two is required.")
  private static let slack: Duration = .seconds(3)
  /// A cold start's search, after which the first fix begins a batch.
  private static let search: Duration = .seconds(60)
  /// How long after a search in vain the next one may come, and as long a search.
  private static let pause: Duration = .seconds(960)

  private(set) var breaches: [Breach] = []
  /// Since when each program waits for a batch.
  private var waitsSince: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message) where request.method == "position.subscribe":
      if case .collects = program.plan.kind, message["error"] == nil {
        self.waitsSince[program.plan.name] = world.elapsed
      }
    case .disconnected(let program): self.waitsSince[program.plan.name] = nil
    case .notified(let program, "position.update", let message):
      if case .collects(_, let timeout) = program.plan.kind, let first = message["params"]?["fixes"]?.elements.first {
        self.waitsSince[program.plan.name] = world.elapsed
        self.check(program, timeout, waited: .seconds(first["age"]?.number ?? 0), in: world)
      }
    case .tick:
      for program in world.programs {
        guard case .collects(_, let timeout) = program.plan.kind, let since = self.waitsSince[program.plan.name] else {
          continue
        }
        self.check(program, timeout, waited: world.elapsed - since - Self.search, in: world)
      }
    case _: break
    }
  }

  private mutating func check(_ program: Program, _ timeout: Int, waited: Duration, in world: World) {
    let isDisturbed = world.script.isDisturbed(
      from: world.elapsed - .seconds(timeout) - Self.search, to: world.elapsed, margin: Self.pause)
    guard waited > .seconds(timeout) + Self.slack, !isDisturbed else { return }
    self.waitsSince[program.plan.name] = nil
    self.breaches.append(
      self.breach("\(program.plan.name): no batch for \(waited), after a timeout of \(timeout) s", in: world))
  }
}
