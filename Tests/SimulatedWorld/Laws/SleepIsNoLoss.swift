import Positioning

/// Who takes a fix now and then is not notified that the receiver sleeps between two.
struct SleepIsNoLoss: Law {
  static let promise = Promise("docs/protocol.md", "That the receiver sleeps between two fixes does not matter.")
  private static let seldom = 120.0

  private(set) var breaches: [Breach] = []
  private var hasFix: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program): self.hasFix.remove(program.plan.name)
    case .notified(let program, "position.update", let message):
      guard case .follows(let interval, _) = program.plan.kind, interval > Self.seldom, let update = message["params"]
      else {
        return
      }
      if update["fix"] != nil { self.hasFix.insert(program.plan.name) }
      guard update["fix"] == nil, self.hasFix.contains(program.plan.name),
        update["availability"]?.string == "poweredDown",
        !world.script.isDisturbed(from: world.elapsed - .seconds(3600), to: world.elapsed)
      else {
        return
      }
      self.breaches.append(self.breach("\(program.plan.name) is notified of a sleep: \(update.text)", in: world))
    case _: break
    }
  }
}
