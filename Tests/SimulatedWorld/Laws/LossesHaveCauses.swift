import Positioning

/// Whoever follows the position is said to have lost it only if something is wrong with the receiver.
struct LossesHaveCauses: Law {
  static let promise = Promise("docs/protocol.md", "There was a fix, and the receiver says that it has none now.")
  private static let margin: Duration = .seconds(15 * 60)

  private(set) var breaches: [Breach] = []

  /// When the unit that turns the receiver off ran last. Who comes while it runs gets positions until it has done its work.
  private var turnedOffAt: Duration?

  mutating func observe(_ observation: Observation, in world: World) {
    if case .radio(isOn: false) = observation { self.turnedOffAt = world.elapsed }
    guard case .notified(let program, "position.update", let message) = observation,
      message["params"]?["availability"]?.string == "lost" || message["params"]?["reason"]?.string == "lost",
      world.script.rung != .unit || self.turnedOffAt.map({ world.elapsed - $0 > .seconds(60) }) ?? true,
      !world.script.isDisturbed(from: world.elapsed - Self.margin, to: world.elapsed)
    else {
      return
    }
    self.breaches.append(
      self.breach("\(program.plan.name) has lost the position, and nothing is wrong: \(message.text)", in: world))
  }
}
