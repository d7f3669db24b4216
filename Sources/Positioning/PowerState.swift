/// What is known of the receiver's power.
package struct PowerState: Hashable, Sendable {
  package enum State: String, Hashable, Sendable {
    case on, released, off, turningOn, turningOff, unknown
  }

  package var state: State
  /// How `state` was verified, in words; `nil` where it was not.
  package var verifiedBy: String?
  package var since: Instant

  package init(state: State, verifiedBy: String? = nil, since: Instant) {
    self.state = state
    self.verifiedBy = verifiedBy
    self.since = since
  }
}
