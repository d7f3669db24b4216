/// The receiver's power, as far as it is known.
public struct PowerState: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    case on
    /// Released; gpsd and the receiver decide whether it sleeps.
    case released
    case off, turningOn, turningOff, unknown
  }

  public var state: State
  /// The rung that is in use: not the configured one, where that failed.
  public var rung: PowerRung
  /// How `state` was verified; `nil` if it was not.
  public var verifiedBy: String?
  /// What keeps the receiver from being turned off as configured, in words; `nil` if nothing does.
  public var problem: String?
  /// Since when.
  public var since: Instant

  public init(
    state: State, rung: PowerRung = .watch, verifiedBy: String? = nil, problem: String? = nil, since: Instant
  ) {
    self.state = state
    self.rung = rung
    self.verifiedBy = verifiedBy
    self.problem = problem
    self.since = since
  }
}
