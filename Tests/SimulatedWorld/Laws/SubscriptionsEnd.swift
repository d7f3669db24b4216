import Positioning

/// A subscription with a duration ends when it is over.
struct SubscriptionsEnd: Law {
  static let promise = Promise("docs/protocol.md", "Seconds after which it ends.")
  private static let slack: Duration = .seconds(5)

  private(set) var breaches: [Breach] = []
  /// When each program was answered, by the time that the daemon ran.
  private var began: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message) where request.method == "position.subscribe":
      guard case .borrows = program.plan.kind, message["error"] == nil else { return }
      self.began[program.plan.name] = world.awake
    case .disconnected(let program): self.began[program.plan.name] = nil
    case .notified(let program, "subscription.ended", _): self.began[program.plan.name] = nil
    case .tick: for program in world.programs where program.isReading { self.check(program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ program: Program, in world: World) {
    guard case .borrows(_, let duration) = program.plan.kind, let began = self.began[program.plan.name],
      world.awake - began > .seconds(duration) + Self.slack, world.isDaemonAwake,
      !world.script.isDisturbed(
        from: world.elapsed - .seconds(60), to: world.elapsed, by: { $0 == .unread(program: program.plan.name) })
    else {
      return
    }
    self.began[program.plan.name] = nil
    self.breaches.append(
      self.breach("\(program.plan.name): after \(world.awake - began) its subscription has not ended", in: world))
  }
}
