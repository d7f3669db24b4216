import Positioning

/// What a subscription has had so far, over all the connections that carried it.
package struct DeliveryProgress: Hashable, Sendable {
  /// Updates with a fix, those too that were passed over.
  private(set) var updates = 0
  /// When the newest fix arrived at the daemon.
  private(set) var newest: Instant?
  /// The number of the newest event, where events have numbers.
  private(set) var newestEvent = 0
  /// When it stood for the first time.
  private(set) var begun: Instant?
  /// Whether it stands anew, after a connection was lost.
  private(set) var isRemade = false

  /// - Parameter lastEvent: The newest number that the daemon has given to an event, where events have numbers.
  mutating func stood(now: Instant, lastEvent: Int? = nil) {
    if self.begun == nil { self.begun = now } else { self.isRemade = true }
    // Numbers only rise, unless the daemon has lost what it kept and counts anew.
    if let lastEvent, lastEvent < self.newestEvent { self.newestEvent = 0 }
  }

  /// Whether an update is one that this subscription had before.
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
