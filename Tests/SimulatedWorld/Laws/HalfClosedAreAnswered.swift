import Positioning

/// Whoever has ended its sending side gets its answers and all of its subscription, and is then closed.
struct HalfClosedAreAnswered: Law {
  static let promise = Promise(
    "docs/protocol.md",
    "A client that has shut down its sending side still gets its answers, and all that it sent is executed")

  private static let refusal: Duration = .seconds(1)

  private(set) var breaches: [Breach] = []
  /// When each program sent what is not answered, and what has not ended.
  private var waiting: [String: [String: Duration]] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program): self.waiting[program.plan.name] = nil
    case .sent(let program, let request):
      guard case .shutsDown = program.plan.kind else { return }
      self.waiting[program.plan.name, default: [:]][request.method] = world.elapsed
    case .answered(let program, let request, let message):
      if request.method != "position.subscribe" || message["error"] != nil {
        self.waiting[program.plan.name]?[request.method] = nil
      }
    case .notified(let program, "subscription.ended", _): self.waiting[program.plan.name]?["position.subscribe"] = nil
    // The daemon ends, or makes room, and says so.
    case .notified(let program, "session.closing", _): self.waiting[program.plan.name] = nil
    case .refused(let uid):
      for program in world.programs where program.plan.uid == uid { self.waiting[program.plan.name] = nil }
    case .disconnected(let program):
      guard let waiting = self.waiting.removeValue(forKey: program.plan.name), let since = waiting.values.min(),
        world.elapsed < min(program.plan.to, world.script.length + Script.leaving),
        // One that is not let in may be closed before it has read why.
        waiting.count == 1 || world.elapsed - since > Self.refusal || world.script.limits.clients == nil,
        !world.script.isDisturbed(from: since, to: world.elapsed, margin: .seconds(2), by: { $0.isAbsence })
      else {
        return
      }
      self.breaches.append(
        self.breach("\(program.plan.name) is cut off, and waits for \(waiting.keys.sorted())", in: world))
    case _: break
    }
  }
}
