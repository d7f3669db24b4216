import Positioning

/// A receiver that has lost its supply is given what it knew, and so has a fix soon.
struct StartsAreAssisted: Law {
  static let promise = Promise(
    "docs/power.md",
    "at once if its power may have been cut, as after a start of positiond, after a plug was pulled, and with `rung=unit`; else after 10 s without a fix."
  )
  /// A session with the receiver, an aided start, and one that takes twice as long as most.
  private static let bound: Duration = .seconds(15)
  /// How old what was kept may be: orbits are valid for four hours.
  private static let age: Duration = .seconds(3 * 3600)

  /// It is taken 45 s after the first fix.
  private static let taking: Duration = .seconds(75)

  private(set) var breaches: [Breach] = []
  private var acquiredAt: Duration?
  private var keptAt: Duration?

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .radio(isOn: false):
      guard let since = self.acquiredAt.take(), world.elapsed - since > Self.taking,
        !world.script.isDisturbed(from: since, to: since + Self.taking, margin: .seconds(10))
      else { return }
      self.keptAt = since
    case .acquired(let after, _):
      self.acquiredAt = world.elapsed
      guard after > Self.bound, let keptAt, world.elapsed - keptAt < Self.age, world.clockError != nil,
        !world.script.isDisturbed(from: world.elapsed - after, to: world.elapsed, margin: .seconds(90)),
        // What was kept may be lost.
        !world.script.isDisturbed(
          from: keptAt, to: world.elapsed, margin: .seconds(60),
          by: { $0 == .diskFull || $0 == .diskBroken || $0 == .locked || $0 == .powerCut })
      else {
        return
      }
      self.breaches.append(
        self.breach(
          "what was kept at \(keptAt) could have helped, and the receiver has a fix only after \(after)", in: world))
    case _: break
    }
  }
}
