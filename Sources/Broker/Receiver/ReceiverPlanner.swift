import Positioning

/// Decides whether the receiver is on: a pure function of the needs, of when the last one ended, and of the time.
struct ReceiverPlanner: Hashable, Sendable {
  private enum State: Hashable {
    case off
    case needed
    /// Nobody needs it any more; kept on so that one-shots in a row do not cycle it.
    case lingering(until: Instant)
  }

  private var state = State.off
  private var linger: Duration

  init(linger: Duration) {
    self.linger = linger
  }

  var isOn: Bool {
    switch self.state {
    case .off: false
    case .needed, .lingering: true
    }
  }

  /// When `planned` must be asked again without a change of needs.
  var nextDeadline: Instant? {
    switch self.state {
    case .off, .needed: nil
    case .lingering(let until): until
    }
  }

  /// A new linger holds from the next end of needs on; none ends the one that runs.
  mutating func change(linger: Duration) {
    self.linger = linger
    if linger == .zero, case .lingering = self.state { self.state = .lingering(until: Instant(sinceBoot: .zero)) }
  }

  /// Returns the new state of the receiver if it changes.
  mutating func planned(isNeeded: Bool, now: Instant) -> Bool? {
    let wasOn = self.isOn
    switch (self.state, isNeeded) {
    case (.off, true), (.lingering, true): self.state = .needed
    case (.needed, false): self.state = self.linger > .zero ? .lingering(until: now + self.linger) : .off
    case (.lingering(let until), false): if now >= until { self.state = .off }
    case (.off, false), (.needed, true): break
    }
    return self.isOn == wasOn ? nil : self.isOn
  }
}
