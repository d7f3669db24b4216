import Positioning

/// Who reads at gpsd's door or at the one of NMEA 0183 gets positions, whoever else does not read.
struct DoorsDeliver: Law {
  static let promise = Promise(
    "docs/nmea.md", "Connecting is a need: the receiver is turned on, and stays on until the reader has left.")
  /// A cold start takes less, and positions follow each other in seconds.
  private static let bound: Duration = .seconds(90)
  /// How long after a fault everything may take to work again.
  private static let recovery: Duration = .seconds(10 * 60)

  private(set) var breaches: [Breach] = []
  private var newest: [String: Duration] = [:]
  private var reported: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .report(let program, let report):
      if DoorFix(report) != nil { self.newest[program.plan.name] = world.elapsed }
    case .sentence(let program, let sentence):
      if let fields = DoorFix.fields(of: sentence), DoorFix(fields, deviation: nil) != nil {
        self.newest[program.plan.name] = world.elapsed
      }
    case .entered(let program): self.newest[program.plan.name] = nil
    case .tick: for program in world.doorPrograms { self.check(program, in: world) }
    case _: break
    }
  }

  private mutating func check(_ program: DoorProgram, in world: World) {
    let name = program.plan.name
    guard let since = program.readsSince else { return }
    let last = max(since, self.newest[name] ?? .zero)
    guard world.elapsed - last > Self.bound,
      !world.script.isDisturbed(
        from: last - Self.recovery, to: world.elapsed,
        by: { kind in
          if case .unread(let other) = kind { other == name } else { true }
        }), self.reported.insert("\(name) \(last)").inserted
    else {
      return
    }
    self.breaches.append(self.breach("\(name) has got no position since \(last)", in: world))
  }
}
