import Positioning

/// Decides whether the receiver is on: a pure function of the needs, of when the last one ended, and of the time.
///
/// After the last need it lingers, so that consecutive one-shots do not cycle it. It also stays on if the next need
/// comes too soon for a release.
struct ReceiverPlanner: Hashable, Sendable {
  private enum State: Hashable {
    case off
    case needed
    /// Nobody needs it any more.
    case lingering(until: Instant)
  }

  private var state = State.off
  private var linger: Duration
  private var minimumOff: Duration

  /// - Parameter minimumOff: How long the receiver must be able to sleep to be released.
  init(linger: Duration, minimumOff: Duration) {
    self.linger = linger
    self.minimumOff = minimumOff
  }

  var isOn: Bool {
    switch self.state {
    case .off: false
    case .needed, .lingering: true
    }
  }

  /// When to call `planned` without a change of needs.
  var nextDeadline: Instant? {
    switch self.state {
    case .off, .needed: nil
    case .lingering(let until): until
    }
  }

  /// A new linger, which applies from the next end of needs on.
  mutating func change(linger: Duration, minimumOff: Duration) {
    self.linger = linger
    self.minimumOff = minimumOff
    if linger == .zero, case .lingering = self.state { self.state = .lingering(until: Instant(sinceBoot: .zero)) }
  }

  /// Returns the new state of the receiver if it changes.
  ///
  /// - Parameter nextDue: When it will be needed next, if known.
  mutating func planned(isNeeded: Bool, nextDue: Instant?, now: Instant) -> Bool? {
    let wasOn = self.isOn
    switch self.state {
    case .off:
      if isNeeded { self.state = .needed }
    case .needed:
      let release = now + self.linger
      guard !isNeeded, !self.isTooSoon(nextDue, after: release) else { break }
      self.state = self.linger > .zero ? .lingering(until: release) : .off
    case .lingering(let until):
      if isNeeded || self.isTooSoon(nextDue, after: until) {
        self.state = .needed
      } else if now >= until {
        self.state = .off
      }
    }
    return self.isOn == wasOn ? nil : self.isOn
  }

  private func isTooSoon(_ due: Instant?, after release: Instant) -> Bool {
    due.map { $0 - release < self.minimumOff } ?? false
  }
}
