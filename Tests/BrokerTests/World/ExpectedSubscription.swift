import Geodesy
import Positioning

@testable import Broker

/// The possible deliveries of one subscription, by its parameters and its earlier deliveries.
struct ExpectedSubscription {
  /// `nil` for skies and the status.
  private var parameters: SubscriptionParameters?
  private let isSky: Bool
  private(set) var knownAvailability: Availability?
  private var lastDelivered: Fix?
  private var isLost = false
  private var expiry: Instant?
  private var count = 0

  init(parameters: SubscriptionParameters, info: SubscriptionInfo, now: Instant) {
    self.parameters = parameters
    self.isSky = false
    self.knownAvailability = info.availability
    self.expiry = parameters.duration.map { now + $0 }
  }

  init(info: SubscriptionInfo) {
    if case .sky = info.kind { self.isSky = true } else { self.isSky = false }
  }

  var isNeed: Bool { self.isSky || self.parameters?.mode == .continuous }

  var isStatus: Bool { !self.isSky && self.parameters == nil }

  /// Whether it has a timer of its own.
  var isTimed: Bool { self.parameters?.maxInterval != nil || self.expiry != nil }

  mutating func changed(_ change: SubscriptionChange, info: SubscriptionInfo, now: Instant) {
    guard case .position(let parameters) = info.kind else { return }
    self.parameters = parameters
    if let duration = change.duration {
      self.expiry = now + duration
    } else if change.reset.contains(.duration) {
      self.expiry = nil
    }
  }

  /// Processes an update; returns what is wrong with it.
  mutating func received(_ update: PositionUpdate, now: Instant) -> String? {
    self.knownAvailability = update.availability
    switch update.reason {
    case .lost:
      if self.isLost { return "lost twice" }
      self.isLost = true
    case .restored:
      if !self.isLost { return "restored without a loss" }
      self.isLost = false
    case .available:
      if self.isLost { return "available, not restored" }
    case .changed, .paused, .resumed, .significantChange, .acquiring, .acquired, .acquisitionFailed, .distance,
      .timeout,
      .flush, .ended, nil:
      break
    default: return "a reason that no daemon has: \(update)"
    }
    if update.reason != nil, update.fix != nil { return "a reason with a fix" }
    if update.reason == nil, update.fix == nil, !update.isRepeat { return "an update about nothing" }
    guard let fix = update.fix else { return self.complaintAboutNoFix(update) }
    self.count += 1
    return self.complaint(about: fix, update, now: now)
  }

  /// A heartbeat delivers the newest fix, unless `onlyBetterThan` drops it.
  private func complaintAboutNoFix(_ update: PositionUpdate) -> String? {
    guard update.isRepeat, update.availability == .available, let parameters, parameters.onlyBetterThan == nil else {
      return nil
    }
    return "a heartbeat without the newest fix"
  }

  /// That the receiver sleeps between two fixes, or starts for the next one, does not matter.
  private func mayRepeat(_ availability: Availability) -> Bool {
    switch availability {
    case .available: true
    case .poweredDown, .searching: self.parameters.map { $0.minInterval >= .seconds(10) } ?? false
    default: false
    }
  }

  private mutating func complaint(about fix: Fix, _ update: PositionUpdate, now: Instant) -> String? {
    guard let parameters = self.parameters else { return "a fix to a subscription of something else" }
    if let expiry, expiry < now { return "a fix after the end" }
    if let most = parameters.maxUpdates, self.count > most, most > 0 { return "more than \(most) updates" }
    let numbers = [
      fix.latitude, fix.longitude, fix.horizontalAccuracy, fix.speed, fix.verticalAccuracy, fix.speedAccuracy,
    ]
    if numbers.contains(where: { $0.map { !$0.isFinite } ?? false }) { return "no number in a fix" }
    if let accuracy = fix.horizontalAccuracy, accuracy <= 0 { return "an accuracy of \(accuracy)" }
    if let limit = parameters.onlyBetterThan, fix.horizontalAccuracy ?? .infinity > limit { return "not better" }
    let achieved = AccuracyLevel.achieved(accuracy: fix.horizontalAccuracy, age: fix.age(at: now))
    if update.achievedAccuracy != achieved { return "a wrong level" }
    if self.isLost, !update.isReplay { return "a fix between lost and restored" }
    if update.isRepeat { return self.mayRepeat(update.availability) ? nil : "a stale fix as a heartbeat" }
    defer { self.lastDelivered = fix }
    guard let last = self.lastDelivered else { return nil }
    if update.isReplay { return "a replay after a delivery" }
    if fix.arrival == last.arrival { return "an epoch twice" }
    let tolerance = min(parameters.minInterval / 10, .seconds(30))
    if fix.arrival - last.arrival < parameters.minInterval - tolerance { return "too soon, or back in arrival" }
    let distance = Geodesy.distance(from: last.coordinate, to: fix.coordinate)
    return distance < parameters.minDistance ? "too close" : nil
  }
}
