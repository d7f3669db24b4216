import Positioning

/// A receiver that is said to be missing has sent nothing.
struct SilenceIsTrue: Law {
  static let promise = Promise("docs/operations.md", "gpsd has no receiver, or it sends nothing")
  /// Less than after how long without a report the receiver is silent.
  private static let bound: Duration = .seconds(7)
  private static let margin: Duration = .seconds(90)

  private(set) var breaches: [Breach] = []
  private var wasMissing = false

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "status.update", let message) = observation, program.plan.name == "status",
      let receiver = message["params"]?["receiver"]
    else {
      return
    }
    let isMissing = receiver["availability"]?.string == "receiverMissing"
    defer { self.wasMissing = isMissing }
    guard isMissing, !self.wasMissing, let last = world.reported.lastReport, world.awake - last.awake < Self.bound,
      world.script.rung != .unit, program.isReading,
      !world.script.isDisturbed(
        from: world.elapsed - Self.margin, to: world.elapsed,
        by: {
          switch $0 {
          case .gpsdDown, .gpsdHangs, .unplugged, .powerCut, .receiver, .deaf, .killed, .ended, .busy,
            .unread(program: "status"):
            true
          case _: false
          }
        })
    else {
      return
    }
    self.breaches.append(
      self.breach("the receiver is said to be missing, and reported \(world.awake - last.awake) ago", in: world))
  }
}
