package import Positioning

/// What a program has set in its client object before it starts, or while it is active.
package struct LocationNeed: Hashable, Sendable {
  package var level = RequestedLevel.exact
  /// Metres; 0: every location is announced.
  package var distanceThreshold: UInt32 = 0
  /// Seconds; 0: every location is announced.
  package var timeThreshold: UInt32 = 0

  package init() {}

  /// The subscription that brings such locations, and needs no more of the receiver.
  ///
  /// Whoever wants a city gets significant changes, between which the receiver sleeps.
  package var subscription: SubscriptionChange {
    // More than the longest that a subscription takes is as good as never.
    let interval = Duration.seconds(min(self.timeThreshold, 86_400))
    let distance = Double(min(self.distanceThreshold, 1_000_000))
    guard !self.level.isCoarse else {
      var change = SubscriptionChange()
      change.mode = .significant
      change.accuracy = self.level.demand
      change.significantDistance = max(Self.cityDistance, distance)
      change.significantInterval = max(Self.cityInterval, interval)
      return change
    }
    var change = SubscriptionChange()
    change.mode = .continuous
    change.accuracy = self.level.demand
    if distance > 0 { change.minDistance = distance }
    if interval > .seconds(1) { change.minInterval = interval }
    return change
  }

  static let cityDistance = 1000.0
  static let cityInterval = Duration.seconds(300)

  /// Whether a location is announced after another, by both thresholds.
  func announces(_ next: Location, after last: Location?) -> Bool {
    guard let last else { return true }
    // A receiver's second is not exact: without this every other fix would be too early for a threshold of one second.
    if next.arrival - last.arrival + .milliseconds(500) < .seconds(self.timeThreshold) { return false }
    return self.distanceThreshold == 0 || next.distance(from: last) >= Double(self.distanceThreshold)
  }
}
