import Positioning
import ReceiverPorts

/// Decides whether the receiver is on, and records what it was on for and how long.
struct DemandPlanner: Sendable {
  private var planner: ReceiverPlanner
  private var dutyCycle: DutyCycleTracker
  private var storing: ReceiverMemoryStoring
  /// Whether the receiver can save power while it is on, and what was allowed last since it was turned on.
  private var canSave = false
  private var allowed: SavingAllowance?

  init(policy: PowerPolicy, memory: ReceiverMemory, now: Instant) {
    self.planner = ReceiverPlanner(policy: policy, memory: memory)
    self.dutyCycle = DutyCycleTracker(began: now)
    self.storing = ReceiverMemoryStoring(kept: memory)
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
    self.canSave = power.saving != nil
    self.planner.isDrawingLess = power.saving == .oneHertz
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

  /// What the needs allow it to save from now on, while it is on; `nil`: as before.
  mutating func takeChange(to allowance: SavingAllowance) -> SavingAllowance? {
    let allowance = self.canSave && self.isOn ? allowance : nil
    guard allowance != self.allowed else { return nil }
    self.allowed = allowance
    return allowance
  }

  // MARK: The receiver

  /// Somebody asks for something new.
  mutating func demanded(now: Instant) { self.planner.demanded(now: now) }

  /// The daemon did not run for so long, and nobody knows whether the receiver was on.
  mutating func putOff(by gap: Duration, now: Instant) {
    self.planner.putOff(by: gap)
    self.dutyCycle.gapEnded(gap, now: now)
  }

  /// A request was answered by the newest fix or heading.
  mutating func answered(maximumAge: Duration, now: Instant) {
    self.planner.answered(maximumAge: maximumAge, now: now)
  }

  /// A fix.
  ///
  /// - Parameter isLearned: Whether it shows how long a start takes.
  mutating func fixed(isLearned: Bool = true, now: Instant) { self.planner.fixed(isLearned: isLearned, now: now) }

  mutating func sourceChanged(to source: SourceState, now: Instant) {
    self.planner.sourceChanged(to: source, now: now)
  }

  mutating func saw(_ satellites: [Sky.Satellite], now: Instant) {
    self.planner.saw(satellites: satellites.contains { $0.snr ?? 1 > 0 }, now: now)
  }

  /// What was stored of the receiver's starts is known only now.
  mutating func restore(_ memory: ReceiverMemory) {
    self.planner.restore(memory)
    self.storing = ReceiverMemoryStoring(kept: memory)
  }

  /// What is known of the receiver's starts.
  var memory: ReceiverMemory { self.planner.memory }

  /// What to store of it now; `nil`: nothing.
  ///
  /// - Parameter isPressing: Whether the daemon ends.
  mutating func takeMemoryToKeep(isPressing: Bool = false, now: Instant) -> ReceiverMemory? {
    self.storing.memoryToKeep(of: self.planner.memory, isPressing: isPressing, now: now)
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

/// When the receiver was on during the last day. While nobody knows whether it is on, it counts as off.
struct DutyCycleTracker: Hashable, Sendable {
  /// The maximum of kept periods, more than a day's lingers; the oldest are dropped first.
  static let limit = 4096

  private struct OnPeriod: Hashable {
    let on: Instant
    let off: Instant
  }

  private var onPeriods: [OnPeriod] = []
  private var onSince: Instant?
  /// Whether it is to be on, and whether it is not known that it is.
  private var isTurnedOn = false
  private var isUnknown = false
  private var total: Duration = .zero
  private(set) var starts = 0
  private let began: Instant

  init(began: Instant) {
    self.began = began
  }

  mutating func receiverTurned(on: Bool, now: Instant) {
    if on, !self.isTurnedOn { self.starts += 1 }
    // What was known before it was turned on or off does not hold any more.
    if on != self.isTurnedOn { self.isUnknown = false }
    self.isTurnedOn = on
    self.update(now: now)
  }

  /// - Parameter isUnknown: Whether nobody knows if the receiver is on, such as when it is unplugged.
  mutating func powerChanged(isUnknown: Bool, now: Instant) {
    self.isUnknown = isUnknown
    self.update(now: now)
  }

  private mutating func update(now: Instant) {
    if self.isTurnedOn, !self.isUnknown {
      self.onSince = self.onSince ?? now
    } else if let since = self.onSince {
      self.onSince = nil
      self.add(OnPeriod(on: since, off: now), now: now)
    }
  }

  /// The daemon did not run for so long. Whether the receiver was on then is not known, so that time does not count. It is
  /// not counted as another start either.
  mutating func gapEnded(_ gap: Duration, now: Instant) {
    guard let since = self.onSince else { return }
    self.onSince = now
    let begin = now - gap
    if begin > since { self.add(OnPeriod(on: since, off: begin), now: now) }
  }

  private mutating func add(_ period: OnPeriod, now: Instant) {
    self.total += period.off - period.on
    self.onPeriods.append(period)
    self.forget(before: now - .seconds(86400))
  }

  func onTime(now: Instant) -> Duration {
    self.total + (self.onSince.map { now - $0 } ?? .zero)
  }

  /// The share of the time in which the receiver was on, in the window before `now` or since the start.
  func dutyCycle(over window: Duration, now: Instant) -> Double {
    let start = max(self.began, now - window)
    let length = (now - start).seconds
    guard length > 0 else { return self.onSince == nil ? 0 : 1 }
    var seconds = 0.0
    for period in self.onPeriods where period.off > start { seconds += (period.off - max(period.on, start)).seconds }
    if let since = self.onSince { seconds += (now - max(since, start)).seconds }
    return min(1, seconds / length)
  }

  /// The last periods, the oldest first.
  func last(_ count: Int) -> [DaemonStatus.OnPeriod] {
    let present = self.onSince.map { [DaemonStatus.OnPeriod(from: $0)] } ?? []
    let past = self.onPeriods.suffix(count - present.count)
    return past.map { DaemonStatus.OnPeriod(from: $0.on, until: $0.off) } + present
  }

  private mutating func forget(before limit: Instant) {
    let old = self.onPeriods.prefix { $0.off <= limit }.count
    self.onPeriods.removeFirst(max(old, self.onPeriods.count - Self.limit))
  }
}
