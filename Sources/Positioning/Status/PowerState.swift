/// What is known of the receiver's power.
public struct PowerState: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    case on
    /// Nobody holds it any more; whether it sleeps is up to gpsd and the receiver.
    case released
    case off, turningOn, turningOff, unknown
  }

  public var state: State
  /// How `state` was verified, in words; `nil` where it was not.
  public var verifiedBy: String?
  /// Since when that has held.
  public var since: Instant

  public init(state: State, verifiedBy: String? = nil, since: Instant) {
    self.state = state
    self.verifiedBy = verifiedBy
    self.since = since
  }
}
