import Positioning

/// Who follows the position learns that there is none.
struct LossIsReported: Law {
  static let promise = Promise("docs/protocol.md", "A change of availability is delivered without a fix.")
  /// A loss after 8 s, a gpsd that says nothing, and the next look at it.
  private static let bound: Duration = .seconds(90)

  private(set) var breaches: [Breach] = []
  /// Programs whose last update had a fix, and when that fix arrived at the latest.
  private var hasFix: [String: Duration] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .connected(let program), .disconnected(let program): self.hasFix[program.plan.name] = nil
    case .notified(let program, "position.update", let message):
      guard case .follows(let interval, _) = program.plan.kind, interval < 5 else { return }
      // Reduced ones come every 10 minutes. One that was kept says with the fix that there is none now.
      let fix = message["params"]?["fix"]
      let isLost = message["params"]?["availability"]?.string != "available"
      self.hasFix[program.plan.name] = fix == nil || fix?["reduced"] != nil || isLost ? nil : world.awake
    case .tick:
      for program in world.programs where program.isConnected && program.isReading { self.check(program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ program: Program, in world: World) {
    guard let last = self.hasFix[program.plan.name], world.awake - last > Self.bound, world.isDaemonAwake,
      !world.script.isDisturbed(
        from: world.elapsed - Self.bound, to: world.elapsed, margin: .seconds(10),
        by: { $0.isAbsence || $0 == .unread(program: program.plan.name) || $0 == .busy })
    else {
      return
    }
    self.hasFix[program.plan.name] = nil
    self.breaches.append(
      self.breach("\(program.plan.name) got a fix \(world.awake - last) ago, and no word since", in: world))
  }
}
