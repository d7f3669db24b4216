import Positioning

/// Locations are announced as rarely as a program on the message bus wants them.
struct DesktopThresholdsHold: Law {
  static let promise = Promise(
    "docs/geoclue.md",
    "`DistanceThreshold` and `TimeThreshold` must both be exceeded since the last announced location; 0 sets no limit.")
  /// Two links that are not equally late.
  private static let tolerance: Duration = .milliseconds(1500)
  /// Until a threshold that was set is the bridge's too, and what was announced before is read.
  private static let change: Duration = .seconds(60)

  private struct Announced {
    var newest: DesktopProgram.Place?
    var threshold: UInt32 = 0
    var former: (threshold: UInt32, until: Duration)?
  }

  private(set) var breaches: [Breach] = []
  private var programs: [String: Announced] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .desktop(let program, let seen) = observation else { return }
    let name = program.plan.name
    var announced = self.programs[name] ?? Announced()
    switch seen {
    case .changed(let time):
      announced.former = (announced.threshold, world.elapsed + Self.change)
      announced.threshold = time
    case .starts, .ends, .lost, .refused, .forgotten, .unread: announced.newest = nil
    case .located(let place):
      if let newest = announced.newest { self.compare(place, with: newest, announced, of: program, in: world) }
      announced.newest = place
    case .started, .active, .updated, .intruded, .hoarded: return
    }
    self.programs[name] = announced
  }

  private mutating func compare(
    _ place: DesktopProgram.Place, with newest: DesktopProgram.Place, _ announced: Announced,
    of program: DesktopProgram, in world: World
  ) {
    var threshold = announced.threshold
    if let (former, until) = announced.former, world.elapsed < until { threshold = min(threshold, former) }
    let pause = Duration.milliseconds(place.time.milliseconds - newest.time.milliseconds)
    let isClockSteady = world.script.faults.allSatisfy { if case .clockStep = $0.kind { false } else { true } }
    // What was held back has the time at which it would have come.
    let isLate = world.script.isDisturbed(
      from: world.elapsed - .seconds(threshold) - Self.change, to: world.elapsed,
      by: { $0.isStandstill || $0 == .gpsdHangs })
    if isClockSteady, !isLate, pause < .seconds(threshold) - Self.tolerance {
      self.breaches.append(
        self.breach(
          "\(program.plan.name) gets locations \(pause) apart, and its threshold is \(threshold) s", in: world))
    }
    let distance = place.place.distance(to: newest.place)
    // The plane is not quite the globe.
    if distance < Double(program.plan.distance) * 0.97 - 1 {
      self.breaches.append(
        self.breach(
          "\(program.plan.name) gets locations \(distance) m apart, and its threshold is \(program.plan.distance) m",
          in: world))
    }
  }
}
