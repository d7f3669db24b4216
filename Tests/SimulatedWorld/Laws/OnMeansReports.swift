import Positioning

/// A receiver that is said to be on reports.
struct OnMeansReports: Law {
  static let promise = Promise("docs/operations.md", "`on` | reports arrive")
  /// Silence after 8 s, or three cycles of it, the next look of gpsd's, and how often this looks.
  private static let bound: Duration = .seconds(60)

  private(set) var breaches: [Breach] = []
  /// Since when the status says so, by the time that the daemon ran.
  private var onSince: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program), .disconnected(let program): self.onSince[program.plan.name] = nil
    case .notified(let program, "status.update", let message):
      guard let state = message["params"]?["power"]?["state"]?.string else { return }
      self.onSince[program.plan.name] = state == "on" ? self.onSince[program.plan.name] ?? world.awake : nil
    case .tick: for program in world.programs { self.check(program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ program: Program, in world: World) {
    let last = world.reported.lastReport?.awake ?? .zero
    guard let since = self.onSince[program.plan.name], program.isReading, world.isDaemonAwake,
      world.awake - max(since, last) > Self.bound,
      !world.script.isDisturbed(
        from: world.elapsed - Self.bound * 2, to: world.elapsed,
        by: { $0.isAbsence || $0 == .busy || $0 == .unread(program: program.plan.name) })
    else {
      return
    }
    self.onSince[program.plan.name] = nil
    self.breaches.append(
      self.breach("the receiver is said to be on, and nothing came for \(world.awake - last)", in: world))
  }
}
