import Positioning

/// Whoever follows the position is said to have lost it only if something is wrong with the receiver.
struct LossesHaveCauses: Law {
  static let promise = Promise("docs/protocol.md", "There was a fix, and the receiver says that it has none now.")
  private static let margin: Duration = .seconds(15 * 60)

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "position.update", let message) = observation,
      message["params"]?["availability"]?.string == "lost" || message["params"]?["reason"]?.string == "lost",
      !world.script.isDisturbed(from: world.elapsed - Self.margin, to: world.elapsed),
      // A simulation far away is a jump, which no receiver makes that can be trusted.
      world.script.speech?.flaw != .simulated
    else {
      return
    }
    self.breaches.append(
      self.breach("\(program.plan.name) has lost the position, and nothing is wrong: \(message.text)", in: world))
  }
}
