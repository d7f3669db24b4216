import Positioning

/// Whoever follows the position, or waits for it, has the receiver on.
struct OnWhileNeeded: Law {
  static let promise = Promise("docs/power.md", "positiond has the receiver on while somebody needs it.")
  private static let bound: Duration = .seconds(20)
  /// Units take their time, and the one that turns it off must have ended before.
  private static let boundOfUnits: Duration = .seconds(90)

  private(set) var breaches: [Breach] = []
  private var isWatched = false
  /// Of a receiver that commands or units turn off: whether it works.
  private var isOn = true
  /// Who follows the position, by an answered subscription.
  private var followers: Set<String> = []
  private var missingSince: Duration?
  private var isReported = false

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .answered(let program, let request, let message):
      if request.method == "position.subscribe", message["error"] == nil,
        case .follows(let interval, _) = program.plan.kind, interval < 5
      {
        self.followers.insert(program.plan.name)
      }
    case .disconnected(let program): self.followers.remove(program.plan.name)
    case .notified(let program, "authorization.changed", let message):
      if message["params"]?["state"]?.isGranted != true { self.followers.remove(program.plan.name) }
    case .notified(let program, "position.update", let message) where message["params"]?["fix"]?["reduced"] != nil:
      // One in 10 minutes needs the receiver now and then.
      self.followers.remove(program.plan.name)
    case .hardware(let isWatched, _): self.isWatched = isWatched
    case .radio(let isOn): self.isOn = isOn
    case .tick, .fault, .connected: break
    case _:
      return
    }
    let isNeeded = !self.followers.isEmpty
    guard isNeeded, !self.isWatched || !self.isOn, world.isDaemonAwake else {
      (self.missingSince, self.isReported) = (nil, false)
      return
    }
    let since = self.missingSince ?? world.awake
    self.missingSince = since
    guard world.awake - since > (world.script.rung == .unit ? Self.boundOfUnits : Self.bound), !self.isReported,
      self.isCalm(in: world)
    else { return }
    self.isReported = true
    self.breaches.append(
      self.breach("\(self.followers.sorted()) follow the position, and nobody watches the receiver", in: world))
  }

  private func isCalm(in world: World) -> Bool {
    // After searches in vain are pauses of up to an hour.
    !world.script.isDisturbed(
      from: world.elapsed - .seconds(3700), to: world.elapsed, by: { $0 == .noSky || $0 == .frozen })
      && !world.script.isDisturbed(
        from: world.elapsed - .seconds(world.script.rung == .watch ? 120 : 720), to: world.elapsed
      ) {
        switch $0 {
        case .deaf, .gpsdDown, .gpsdHangs, .unplugged, .powerCut, .denied, .reduced, .disabled, .noSky, .frozen,
          .receiver, .unread:
          true
        case _:
          false
        }
      }
  }
}
