import Positioning

/// Reports the receiver's power, on change only.
struct PowerReporter: Hashable, Sendable {
  /// What was reported last.
  private(set) var power: PowerState
  let rung: PowerRung
  /// A problem that stays: why a lower rung is not in use.
  let standingProblem: String?

  /// - Parameter power: What was reported before.
  init(rung: PowerRung, after power: PowerState, standingProblem: String? = nil) {
    self.power = power
    self.rung = rung
    self.standingProblem = standingProblem
  }

  mutating func report(
    _ state: PowerState.State, verifiedBy: String? = nil, problem: String? = nil, now: Instant
  ) -> [RungAction] {
    let power = PowerState(
      state: state, rung: self.rung, verifiedBy: verifiedBy, problem: problem ?? self.standingProblem,
      since: self.power.state == state ? self.power.since : now)
    guard power != self.power else { return [] }
    self.power = power
    return [.report(power)]
  }
}
