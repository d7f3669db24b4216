import Positioning

/// One subscription to the satellites in view.
struct SkySubscription: Hashable, Sendable {
  let id: SubscriptionID
  let minInterval: Duration
  /// Whether it never needs the receiver.
  let isPassive: Bool
  /// Whether its client may not know the satellites at present.
  private(set) var isSuspended = false
  private var lastDelivered: Instant?
  /// The receiver's cycle whose sky was delivered last.
  private var lastCycle: Int?
  private(set) var updates = 0

  init(id: SubscriptionID, minInterval: Duration, isPassive: Bool) {
    self.id = id
    self.minInterval = minInterval
    self.isPassive = isPassive
  }

  /// Unless it is passive, it needs the receiver on, with no particular accuracy.
  var demand: Demand {
    Demand(accuracy: AccuracyLevel.city.meters, interval: self.minInterval, activity: .other)
  }

  func info(availability: Availability) -> SubscriptionInfo {
    SubscriptionInfo(
      number: self.id.number, kind: .sky(minInterval: self.minInterval, isPassive: self.isPassive),
      state: self.isSuspended ? .suspended : .delivering,
      availability: availability, updates: self.updates)
  }

  mutating func suspend(_ isSuspended: Bool) { self.isSuspended = isSuspended }

  /// A fuller sky of the cycle that was delivered corrects it, and begins no interval.
  mutating func received(_ sky: Sky, cycle: Int) -> Sky? {
    if cycle != self.lastCycle {
      if let lastDelivered {
        let tolerance = min(self.minInterval / 10, .seconds(30))
        guard sky.arrival - lastDelivered >= self.minInterval - tolerance else { return nil }
      }
      self.lastDelivered = sky.arrival
      self.lastCycle = cycle
    }
    self.updates += 1
    return sky
  }
}
