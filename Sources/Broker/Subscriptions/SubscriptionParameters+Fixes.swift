import Positioning

/// What the parameters of a subscription say of a fix, of the search for one, and of the receiver.
extension SubscriptionParameters {
  /// Whether a fix of this accuracy and integrity may be delivered.
  func isGoodEnough(_ fix: Fix) -> Bool {
    guard self.integrity.accepts(fix) else { return false }
    guard let limit = self.onlyBetterThan else { return true }
    return fix.horizontalAccuracy.map { $0 <= limit } ?? false
  }

  /// Whether the fix is good enough for the requested accuracy, also by its age.
  func isFresh(_ fix: Fix, now: Instant) -> Bool {
    // A reduced fix is as good as possible for this client.
    let demand = fix.isReduced ? .level(.city) : self.accuracy
    guard let accuracy = fix.horizontalAccuracy else { return false }
    return accuracy <= demand.meters && fix.age(at: now) <= demand.maximumAge
  }

  /// Whether the fix is accurate enough for the significant distance, and casts votes. A reduced fix is as good as
  /// possible for this client.
  func isDecisive(_ fix: Fix) -> Bool {
    guard fix.castsVotes, let accuracy = fix.horizontalAccuracy else { return false }
    return fix.isReduced || accuracy <= self.significantDistance
  }

  /// The search that they describe; without `acquire`, the one of the command.
  func acquisition(now: Instant) -> FixAcquisition {
    FixAcquisition(
      self.acquire ?? Acquisition(desiredAccuracy: self.acquisitionAccuracy, acceptableAccuracy: nil),
      limit: self.onlyBetterThan, activity: self.activity, now: now)
  }

  /// If fixes are delivered as they arrive, the next fix is accepted.
  private var acquisitionAccuracy: Double {
    switch self.mode {
    case .continuous, .passive, .deferred: .infinity
    case .significant: self.accuracy.meters
    }
  }

  /// The shortest interval in which the receiver could sleep.
  private static let shortestSleepInterval: Duration = .seconds(10)

  /// The interval of the fixes, if the receiver could sleep in between.
  var sleepInterval: Duration? {
    switch self.mode {
    case .continuous, .deferred:
      self.minInterval >= Self.shortestSleepInterval ? self.minInterval : nil
    case .passive, .significant: nil
    }
  }

  /// The state of a subscription that takes fixes and searches for none.
  func state(_ availability: Availability) -> SubscriptionState {
    switch (self.mode, availability) {
    case (_, .denied): .suspended
    case (.significant, _), (.passive, .poweredDown): .waiting
    case (_, .available), (_, .accuracyLimited): .delivering
    case (_, .untrusted): self.integrity == .any ? .delivering : .acquiring
    case (_, .searching), (_, .stale), (_, .lost), (_, .poweredDown), (_, .receiverMissing), (_, .gpsdFull),
      (_, .unknown), (_, .gpsdDown):
      .acquiring
    }
  }
}

extension Fix {
  /// Whether it came so much later than the last one, within the tolerance. If the machine was restarted in between, nobody
  /// knows how much later it came, and it counts as late enough.
  func isLater(than last: Fix, by interval: Duration) -> Bool {
    last.arrival.isBeforeBoot || self.arrival - last.arrival >= interval - interval.tolerance
  }
}

extension Duration {
  /// By how much a fix may come earlier than this interval demands.
  var tolerance: Duration { min(self / 10, .seconds(30)) }
}

extension Instant? {
  func earlier(_ other: Instant?) -> Instant? {
    guard let self, let other else { return self ?? other }
    return min(self, other)
  }
}
