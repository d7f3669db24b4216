import Positioning

/// Decides whether the receiver is on, and knows what it was on for and how long.
struct DemandPlanner: Sendable {
  /// Who asks something of the receiver.
  enum Asker: Hashable, Sendable {
    case call(CallID)
    case subscription(SubscriptionID)
  }

  private var planner: ReceiverPlanner
  private var dutyCycle: DutyCycleTracker
  /// What those ask of the receiver who need it, one by one.
  private var demands = DemandLedger<Asker>()

  init(settings: BrokerSettings, now: Instant) {
    self.planner = ReceiverPlanner(linger: settings.linger, minimumOff: settings.minimumOff)
    self.dutyCycle = DutyCycleTracker(began: now)
  }

  mutating func change(linger: Duration, minimumOff: Duration) {
    self.planner.change(linger: linger, minimumOff: minimumOff)
  }

  var isOn: Bool { self.planner.isOn }

  /// When `plan` must be asked again without a change of needs.
  var nextDeadline: Instant? { self.planner.nextDeadline }

  /// - Returns: whether the receiver is on from now on; `nil`: as before.
  mutating func plan(_ needs: Needs, now: Instant) -> Bool? {
    let isOn = self.planner.planned(isNeeded: needs.isNeeded, nextDue: needs.nextDue, now: now)
    if let isOn { self.dutyCycle.receiverTurned(on: isOn, now: now) }
    return isOn
  }

  // MARK: Demands

  /// How many ask for something.
  var count: Int { self.demands.count }

  /// What serves all; `nil` where nobody asks for anything.
  var merged: Demand? { self.demands.merged }

  /// The same as long as the same is asked by the same.
  var fingerprint: Int { self.demands.fingerprint }

  mutating func set(_ entry: DemandLedger<Asker>.Entry?, for key: Asker) {
    self.demands.set(entry, for: key)
  }

  /// Shows the demands of one user, or of all (`nil`), in order until one is enough.
  func visit(_ user: UInt32?, until isEnough: (DemandLedger<Asker>.Entry) -> Bool) {
    self.demands.visit(user, until: isEnough)
  }

  // MARK: The duty cycle

  /// How often the receiver was started.
  var starts: Int { self.dutyCycle.starts }

  func onTime(now: Instant) -> Duration { self.dutyCycle.onTime(now: now) }

  func dutyCycle(over window: Duration, now: Instant) -> Double { self.dutyCycle.dutyCycle(over: window, now: now) }
}
