import Positioning
import ReceiverPorts

/// Decides whether the receiver is on, and records what it was on for and how long.
struct DemandPlanner: Sendable {
  /// The origin of a demand on the receiver.
  enum Requester: Hashable, Sendable {
    case call(CallID)
    case subscription(SubscriptionID)
  }

  private var planner: ReceiverPlanner
  private var dutyCycle: DutyCycleTracker
  private var keeper: ReceiverMemoryKeeper
  /// The demands on the receiver.
  private var demands = DemandLedger<Requester>()

  init(policy: PowerPolicy, memory: ReceiverMemory, now: Instant) {
    self.planner = ReceiverPlanner(policy: policy, memory: memory)
    self.dutyCycle = DutyCycleTracker(began: now)
    self.keeper = ReceiverMemoryKeeper(kept: memory)
  }

  /// New settings.
  mutating func change(_ policy: PowerPolicy) {
    var policy = policy
    policy.isVerified = self.planner.policy.isVerified
    self.planner.change(policy)
  }

  /// - Parameter isVerified: Whether a release is known to turn the receiver off.
  private mutating func change(isVerified: Bool) {
    var policy = self.planner.policy
    policy.isVerified = isVerified
    self.planner.change(policy)
  }

  /// The receiver's power as its rung reports it: a rung other than `watch` is in use only while it is verified to turn the
  /// receiver off.
  mutating func powerChanged(to power: PowerState, now: Instant) {
    self.change(isVerified: power.rung != .watch)
    self.dutyCycle.powerChanged(isUnknown: power.state == .unknown, now: now)
  }

  var isOn: Bool { self.planner.isOn }

  /// Whether it is on, or is off between two searches.
  var isSearching: Bool { self.planner.isOn || self.planner.isBackedOff }

  /// When to call `plan` without a change of needs.
  var nextDeadline: Instant? { self.planner.nextDeadline }

  /// When the receiver is turned on next, and the reason.
  var nextWake: ReceiverWake? { self.planner.nextWake }

  /// - Returns: Whether the receiver is on from now on; `nil`: unchanged.
  mutating func plan(_ needs: Needs, now: Instant) -> Bool? {
    let isOn = self.planner.planned(needs, now: now)
    if let isOn { self.dutyCycle.receiverTurned(on: isOn, now: now) }
    return isOn
  }

  // MARK: The receiver

  /// Somebody asks for something new.
  mutating func demanded(now: Instant) { self.planner.demanded(now: now) }

  /// Nobody searched for so long, and nobody knows whether the receiver was on.
  mutating func putOff(by gap: Duration, now: Instant) {
    self.planner.putOff(by: gap)
    self.dutyCycle.gapEnded(gap, now: now)
  }

  /// A request was answered by the newest fix or heading.
  mutating func answered(maximumAge: Duration, now: Instant) {
    self.planner.answered(maximumAge: maximumAge, now: now)
  }

  /// A fix.
  mutating func fixed(now: Instant) { self.planner.fixed(now: now) }

  mutating func sourceChanged(to source: SourceState, now: Instant) {
    self.planner.sourceChanged(to: source, now: now)
  }

  mutating func saw(_ satellites: [Sky.Satellite], now: Instant) {
    self.planner.saw(satellites: satellites.contains { $0.snr ?? 1 > 0 }, now: now)
  }

  /// What was stored of the receiver's starts is known only now.
  mutating func restore(_ memory: ReceiverMemory) {
    self.planner.restore(memory)
    self.keeper = ReceiverMemoryKeeper(kept: memory)
  }

  /// What is known of the receiver's starts.
  var memory: ReceiverMemory { self.planner.memory }

  /// What to store of it now; `nil`: nothing.
  ///
  /// - Parameter isPressing: Whether the daemon ends.
  mutating func takeMemoryToKeep(isPressing: Bool = false, now: Instant) -> ReceiverMemory? {
    self.keeper.memoryToKeep(of: self.planner.memory, isPressing: isPressing, now: now)
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

  /// When the receiver was on last, the oldest first; no more than are listed.
  var lastPeriods: [DaemonStatus.OnPeriod] { self.dutyCycle.last(DaemonStatus.maximumPeriods) }

  /// How long its starts take.
  var startTimes: DaemonStatus.StartTimes {
    let starts = self.planner.memory.starts
    func time(_ offTime: TimeToFirstFix.OffTime) -> DaemonStatus.StartTime? {
      let count = starts.starts(after: offTime)
      guard count > 0 else { return nil }
      return DaemonStatus.StartTime(count: count, mean: starts.mean(after: offTime), most: starts.lead(after: offTime))
    }
    return DaemonStatus.StartTimes(
      last: self.planner.lastStart, hot: time(.hot), warm: time(.warm), cold: time(.cold))
  }

  func onTime(now: Instant) -> Duration { self.dutyCycle.onTime(now: now) }

  func dutyCycle(over window: Duration, now: Instant) -> Double { self.dutyCycle.dutyCycle(over: window, now: now) }
}
