import Positioning

/// When the broker wants to be asked again, and who needs the receiver.
struct Agenda: Sendable {
  /// What a deadline belongs to.
  enum Deadline: Hashable, Sendable {
    case call(CallID)
    case subscription(SubscriptionID)
    case wake(DurableID)
    case regions(FixFeedKey?)
    case feed(FixFeedKey)
    case visits
    case prompt(UInt32)
    case permissions
    case usage
    case commits
    case filter
    case planner
    case status
    case heading
  }

  /// Who may need the receiver.
  enum Needer: Hashable, Sendable {
    case call(CallID)
    case subscription(SubscriptionID)
    case regions(FixFeedKey?)
    case visits
  }

  private var deadlines = DeadlineQueue<Deadline>()
  private var needs = NeedLedger<Needer>()

  // MARK: Deadlines

  /// The soonest.
  var next: Instant? { self.deadlines.next }

  mutating func set(_ deadline: Instant?, for key: Deadline) { self.deadlines.set(deadline, for: key) }

  /// Takes the soonest deadline if it has passed.
  mutating func popDue(now: Instant) -> Deadline? { self.deadlines.popDue(now: now) }

  // MARK: The receiver

  var isNeeded: Bool { self.needs.isNeeded }

  /// When somebody will need it next who does not now.
  var nextDue: Instant? { self.needs.nextDue }

  func isNeeded(by key: Needer) -> Bool { self.needs.isNeeded(by: key) }

  mutating func need(_ need: Need, by key: Needer) { self.needs.set(need, for: key) }

  /// Whose need was set since it was asked last.
  mutating func takeTouched() -> [Needer] { self.needs.takeTouched() }
}
