import Positioning

/// A fix is one that the receiver made, and is as accurate as the receiver says.
struct FixesWereReported: Law {
  static let promise = Promise(
    "docs/gpsd.md",
    "A fix is a position that the receiver reported as its own: none that it calls simulated, and none of another receiver than the configured one."
  )
  /// Epochs until it is known what drives the receiver.
  private static let identified = 15

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .notified(let program, "position.update", let message):
      for fix in message["params"]?.fixes ?? [] { self.check(fix, program, in: world) }
    case .answered(let program, let request, let message) where request.method == "position.get":
      if let fix = message["result"]?["fix"] { self.check(fix, program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ fix: JSON, _ program: Program, in world: World) {
    // Of what was stored before a restart nobody asks who made it.
    guard fix["reduced"] == nil, world.script.database == nil else { return }
    guard let epoch = world.reported.epoch(of: fix) else {
      return self.breaches.append(self.breach("\(program.plan.name) gets what nobody made: \(fix.text)", in: world))
    }
    let isForeign = world.script.speech?.neighbor == .unwanted && epoch.device != SimulatedGpsd.configuredDevice
    if epoch.isSimulated || isForeign {
      self.breaches.append(
        self.breach(
          "\(program.plan.name) gets \(epoch.isSimulated ? "a simulation" : epoch.device): \(fix.text)", in: world))
    }
    // gpsd's figure is u-blox's own.
    guard world.script.speech != nil, world.script.rung != .mediaTek, epoch.row > Self.identified,
      let claimed = epoch.accuracy, let said = fix["horizontalAccuracy"]?.number, abs(said - claimed) > claimed * 0.02,
      world.isCalmForReports
    else {
      return
    }
    self.breaches.append(
      self.breach("\(program.plan.name): the receiver says \(claimed) m, and the fix \(said) m", in: world))
  }
}
