/// The receiver's power, as far as it is known.
public struct PowerState: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    case on
    /// Released; gpsd and the receiver decide whether it sleeps.
    case released
    case off, turningOn, turningOff, unknown
  }

  public var state: State
  /// How `state` was verified; `nil` if it was not.
  public var verifiedBy: String?
  /// Since when.
  public var since: Instant

  public init(state: State, verifiedBy: String? = nil, since: Instant) {
    self.state = state
    self.verifiedBy = verifiedBy
    self.since = since
  }
}
