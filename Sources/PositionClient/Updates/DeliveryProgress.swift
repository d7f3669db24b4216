import Positioning

/// What a subscription has delivered so far, over all its connections.
package struct DeliveryProgress: Hashable, Sendable {
  /// Updates with a fix, including those that were dropped unread.
  private(set) var updates = 0
  /// The arrival of the newest fix at the daemon.
  private(set) var newest: Instant?
  /// The number of the newest event, for events that have numbers.
  private(set) var newestEvent = 0
  /// When the subscription was first established.
  private(set) var begun: Instant?
  /// Whether it was made again after a lost connection.
  private(set) var isRemade = false

  /// - Parameter lastEvent: The newest event's number at the daemon, for events that have numbers.
  mutating func established(now: Instant, lastEvent: Int? = nil) {
    if self.begun == nil { self.begun = now } else { self.isRemade = true }
    // Numbers only rise, unless the daemon has lost its store and starts again.
    if let lastEvent, lastEvent < self.newestEvent { self.newestEvent = 0 }
  }

  /// Whether an update was delivered before.
  func has(_ update: some SubscriptionUpdate) -> Bool {
    if let event = update.eventID { return event <= self.newestEvent }
    guard self.isRemade, update.isReplay, let arrival = update.arrival, let newest = self.newest else { return false }
    return arrival <= newest
  }

  mutating func delivered(_ update: some SubscriptionUpdate) {
    if let event = update.eventID { self.newestEvent = event }
    guard let arrival = update.arrival else { return }
    self.updates = self.updates.plus(update.deliveries)
    self.newest = max(arrival, self.newest ?? arrival)
  }
}
