import Geodesy
import Positioning

/// One position subscription: what it has delivered, and whether it delivers the next fix.
///
/// What it delivers is a function of its own parameters and of the accepted fixes. Its baseline moves on delivery
/// only, so a slow movement fires once it has added up, and a withheld fix starves nothing.
struct PositionSubscription: Hashable, Sendable {
  let id: SubscriptionID
  private(set) var parameters: SubscriptionParameters
  private(set) var state: SubscriptionState
  private(set) var availability: Availability
  private(set) var updates = 0
  /// When it expires.
  private(set) var expiry: Instant?
  private var lastDelivered: Fix?
  private var deliveredEpoch: Int?
  /// When a fix was last told, repeated or not.
  private var lastTold: Instant
  /// Whether there were fixes since it stands.
  private var hadFixes: Bool
  /// Whether its client was told `lost`, and not yet `restored`.
  private var isToldLost = false

  init(id: SubscriptionID, parameters: SubscriptionParameters, availability: Availability, now: Instant) {
    self.id = id
    self.parameters = parameters
    self.availability = availability
    self.hadFixes = availability == .available
    self.state = Self.state(parameters.mode, availability)
    self.lastTold = now
    self.expiry = parameters.duration.map { now + $0 }
  }

  /// What it asks of the receiver.
  var demand: Demand? {
    switch self.parameters.mode {
    case .passive: nil
    case .continuous:
      Demand(
        accuracy: self.parameters.accuracy.meters, interval: self.parameters.minInterval,
        activity: self.parameters.activity)
    }
  }

  var info: SubscriptionInfo {
    SubscriptionInfo(
      id: self.id, kind: .position(self.parameters), state: self.state, availability: self.availability,
      updates: self.updates)
  }

  /// When `deadlineReached` must be called: its heartbeat or its end.
  var nextDeadline: Instant? {
    [self.expiry, self.heartbeatInterval.map { self.lastTold + $0 }].compactMap { $0 }.min()
  }

  /// No heart beats faster than this, whatever the client asks: each beat wakes the daemon.
  static let fastestHeartbeat: Duration = .milliseconds(100)

  private var heartbeatInterval: Duration? {
    self.parameters.maxInterval.map { max($0, Self.fastestHeartbeat) }
  }

  /// Whether it ends now: its time is over, or it delivered as often as it should.
  func isExpired(now: Instant) -> Bool {
    if let expiry, now >= expiry { return true }
    return self.parameters.maxUpdates.map { self.updates >= $0 } ?? false
  }

  /// The fix that was there before the subscription, as `replay` wants it.
  mutating func replay(_ fix: Fix, epoch: Int, now: Instant) -> PositionUpdate? {
    switch self.parameters.replay {
    case .none: return nil
    case .any: break
    case .fresh:
      guard
        let accuracy = fix.horizontalAccuracy, accuracy <= self.parameters.accuracy.meters,
        fix.age(at: now) <= self.parameters.accuracy.maximumAge
      else { return nil }
    }
    guard self.isGoodEnough(fix) else { return nil }
    return self.deliver(fix, epoch: epoch, now: now, isReplay: true)
  }

  /// A new epoch's fix, or a better one of the newest epoch; nobody gets an epoch twice.
  mutating func fixed(_ fix: Fix, epoch: Int, now: Instant) -> PositionUpdate? {
    guard self.deliveredEpoch != epoch, self.isGoodEnough(fix), self.isDue(fix) else { return nil }
    return self.deliver(fix, epoch: epoch, now: now, isReplay: false)
  }

  /// What stands between the receiver and the client changed.
  mutating func availabilityChanged(to availability: Availability) -> PositionUpdate? {
    guard availability != self.availability else { return nil }
    self.availability = availability
    self.state = Self.state(self.parameters.mode, availability)
    let reason: PositionUpdate.Reason
    if availability == .available {
      reason = self.isToldLost ? .restored : .available
      self.isToldLost = false
      self.hadFixes = true
    } else if self.isToldLost || !self.hadFixes || !availability.isTrouble {
      reason = .changed
    } else {
      reason = .lost
      self.isToldLost = true
    }
    return self.update(reason: reason)
  }

  /// The heartbeat: the newest fix once more, or the word that there is none. Moves no baseline.
  mutating func heartbeat(current: Fix?, now: Instant) -> PositionUpdate? {
    guard let interval = self.heartbeatInterval, now >= self.lastTold + interval else { return nil }
    self.lastTold = now
    var update = self.update(reason: nil)
    update.isRepeat = true
    if self.availability == .available, let current, self.isGoodEnough(current) {
      self.updates += 1
      update.fix = current
      update.achievedAccuracy = current.achievedAccuracy(at: now)
    }
    return update
  }

  /// Changes it in place; what it delivered stays its baseline.
  mutating func change(_ change: SubscriptionChange, now: Instant) {
    self.parameters.mode = change.mode ?? self.parameters.mode
    self.parameters.accuracy = change.accuracy ?? self.parameters.accuracy
    self.parameters.minInterval = change.minInterval ?? self.parameters.minInterval
    self.parameters.minDistance = change.minDistance ?? self.parameters.minDistance
    self.parameters.maxInterval = change.maxInterval ?? self.parameters.maxInterval
    self.parameters.onlyBetterThan = change.onlyBetterThan ?? self.parameters.onlyBetterThan
    self.parameters.maxUpdates = change.maxUpdates ?? self.parameters.maxUpdates
    self.parameters.activity = change.activity ?? self.parameters.activity
    if let duration = change.duration {
      self.parameters.duration = duration
      self.expiry = now + duration
    }
    self.state = Self.state(self.parameters.mode, self.availability)
  }

  private func isGoodEnough(_ fix: Fix) -> Bool {
    guard let limit = self.parameters.onlyBetterThan else { return true }
    return fix.horizontalAccuracy.map { $0 <= limit } ?? false
  }

  private func isDue(_ fix: Fix) -> Bool {
    guard let last = self.lastDelivered else { return true }
    let interval = self.parameters.minInterval
    let tolerance = min(interval / 10, .seconds(30))
    guard fix.arrival - last.arrival >= interval - tolerance else { return false }
    guard self.parameters.minDistance > 0 else { return true }
    return Geodesy.distance(from: last.coordinate, to: fix.coordinate) >= self.parameters.minDistance
  }

  private mutating func deliver(_ fix: Fix, epoch: Int, now: Instant, isReplay: Bool) -> PositionUpdate {
    self.lastDelivered = fix
    self.deliveredEpoch = epoch
    self.lastTold = now
    self.updates += 1
    var update = self.update(reason: nil)
    update.fix = fix
    update.achievedAccuracy = fix.achievedAccuracy(at: now)
    update.isReplay = isReplay
    return update
  }

  private func update(reason: PositionUpdate.Reason?) -> PositionUpdate {
    PositionUpdate(
      subscription: self.id, state: self.state, availability: self.availability, fix: nil, achievedAccuracy: nil,
      reason: reason, isReplay: false, isRepeat: false)
  }

  private static func state(_ mode: SubscriptionParameters.Mode, _ availability: Availability) -> SubscriptionState {
    switch (mode, availability) {
    case (_, .available), (_, .accuracyLimited): .delivering
    case (_, .denied): .suspended
    case (.passive, .poweredDown): .waiting
    case (_, .searching), (_, .stale), (_, .lost), (_, .poweredDown), (_, .receiverMissing), (_, .gpsdFull),
      (_, .unknown),
      (_, .gpsdDown):
      .acquiring
    }
  }
}

extension Fix {
  /// The finest level that the fix reaches at that moment.
  func achievedAccuracy(at now: Instant) -> AccuracyLevel? {
    AccuracyLevel.achieved(accuracy: self.horizontalAccuracy, age: self.age(at: now))
  }
}

extension Availability {
  /// Whether a client that had fixes gets none because of it.
  var isTrouble: Bool {
    switch self {
    case .lost, .receiverMissing, .gpsdFull, .gpsdDown: true
    case .available, .searching, .stale, .accuracyLimited, .poweredDown, .denied, .unknown: false
    }
  }
}
