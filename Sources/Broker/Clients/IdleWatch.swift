import Positioning

/// How long nothing has needed the daemon. Where the administrator wants that, it ends after a while, and systemd
/// starts it with the next connection.
struct IdleWatch: Sendable {
  private var since: Instant?

  /// When `note` is due; `nil`: never, as far as is known now.
  func nextDeadline(after patience: Duration?) -> Instant? {
    guard let since, let patience else { return nil }
    return since + patience
  }

  /// Nobody could connect for so long.
  mutating func putOff(by gap: Duration) { self.since = self.since.map { $0 + gap } }

  /// The state has settled.
  ///
  /// - Parameters:
  ///   - isIdle: Whether nothing needs the daemon.
  ///   - patience: After how long the daemon ends; `nil`: never.
  /// - Returns: Whether it is time to end. If the daemon does not, the time begins anew.
  mutating func note(isIdle: Bool, patience: Duration?, now: Instant) -> Bool {
    guard isIdle else {
      self.since = nil
      return false
    }
    self.since = self.since ?? now
    guard let deadline = self.nextDeadline(after: patience), now >= deadline else { return false }
    self.since = now
    return true
  }
}

extension BrokerParts {
  /// Whether nothing needs the daemon: nobody is connected, nothing is registered under a durable name, no event waits
  /// for the start of a unit, and the receiver is neither on nor turned off in a way that only positiond ends. Before the
  /// store is open nobody knows what is registered.
  var isIdle: Bool {
    self.commits.unopened == nil && self.clients.isEmpty && self.subscriptions.count == 0
      && self.feeds.holdings.regions.total == 0
      && self.names.nextDeadline == nil && !self.demand.isOn && !self.receiver.power.isHeld
  }
}

extension PowerState {
  /// Whether the daemon turns the receiver on or off, or has turned it off and must turn it on again.
  fileprivate var isHeld: Bool {
    switch self.state {
    case .on, .turningOn, .turningOff: true
    case .released, .unknown: false
    // gpsd opens a receiver for whoever watches it.
    case .off: self.rung != .watch
    }
  }
}
