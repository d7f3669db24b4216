import Positioning

/// Decides whether the receiver is on, and records what it was on for and how long.
struct DemandPlanner: Sendable {
  /// The origin of a demand on the receiver.
  enum Requester: Hashable, Sendable {
    case call(CallID)
    case subscription(SubscriptionID)
  }

  private var planner: ReceiverPlanner
  private var dutyCycle: DutyCycleTracker
  /// The demands on the receiver.
  private var demands = DemandLedger<Requester>()

  init(settings: BrokerSettings, now: Instant) {
    self.planner = ReceiverPlanner(linger: settings.linger, minimumOff: settings.minimumOff)
    self.dutyCycle = DutyCycleTracker(began: now)
  }

  mutating func change(linger: Duration, minimumOff: Duration) {
    self.planner.change(linger: linger, minimumOff: minimumOff)
  }

  var isOn: Bool { self.planner.isOn }

  /// When to call `plan` without a change of needs.
  var nextDeadline: Instant? { self.planner.nextDeadline }

  /// - Returns: Whether the receiver is on from now on; `nil`: unchanged.
  mutating func plan(_ needs: Needs, now: Instant) -> Bool? {
    let isOn = self.planner.planned(isNeeded: needs.isNeeded, nextDue: needs.nextDue, now: now)
    if let isOn { self.dutyCycle.receiverTurned(on: isOn, now: now) }
    return isOn
  }

  // MARK: Demands

  /// The number of demands.
  var count: Int { self.demands.count }

  /// The merged demand; `nil` if there is none.
  var merged: Demand? { self.demands.merged }

  /// Unchanged while the same holders have the same demands.
  var fingerprint: Int { self.demands.fingerprint }

  mutating func set(_ entry: DemandLedger<Requester>.Entry?, for key: Requester) {
    self.demands.set(entry, for: key)
  }

  /// Visits the demands of one user, or of all (`nil`), in order until the closure has enough.
  func visit(_ user: UInt32?, until isEnough: (DemandLedger<Requester>.Entry) -> Bool) {
    self.demands.visit(user, until: isEnough)
  }

  // MARK: The duty cycle

  /// How often the receiver was started.
  var starts: Int { self.dutyCycle.starts }

  func onTime(now: Instant) -> Duration { self.dutyCycle.onTime(now: now) }

  func dutyCycle(over window: Duration, now: Instant) -> Double { self.dutyCycle.dutyCycle(over: window, now: now) }
}
