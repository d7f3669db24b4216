import Positioning

/// Whatever a receiver is given for its start, it has a fix no later than if it had been given nothing.
struct StartsAreNoSlower: Law {
  static let promise = Promise("docs/power.md", "No start took longer than the same one without.")
  /// Of two searches that are compared.
  private static let tolerance: Duration = .milliseconds(100)

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .acquired(let after, let without?) = observation, after > without + Self.tolerance,
      // On a machine that is loaded or stands still, what is written arrives late.
      !world.script.isDisturbed(from: world.elapsed - after, to: world.elapsed, by: { $0.isStandstill })
    else {
      return
    }
    self.breaches.append(
      self.breach("the receiver has a fix \(after) after its start, and without help after \(without)", in: world))
  }
}
