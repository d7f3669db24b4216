import Positioning

/// What a subscription has had so far, over all the connections that carried it.
struct Past: Hashable, Sendable {
  /// Updates with a fix, those too that were passed over.
  private(set) var updates = 0
  /// When the newest fix arrived at the daemon.
  private(set) var newest: Instant?
  /// When it stood for the first time.
  private(set) var begun: Instant?
  /// Whether it stands anew, after a connection was lost.
  private(set) var isRemade = false

  mutating func stood(now: Instant) {
    if self.begun == nil { self.begun = now } else { self.isRemade = true }
  }

  /// Whether an update is one that this subscription had before.
  func has(_ update: some SubscriptionUpdate) -> Bool {
    guard self.isRemade, update.isReplay, let arrival = update.arrival, let newest = self.newest else { return false }
    return arrival <= newest
  }

  mutating func delivered(_ update: some SubscriptionUpdate) {
    guard let arrival = update.arrival else { return }
    self.updates += 1 + update.dropped
    self.newest = max(arrival, self.newest ?? arrival)
  }
}
