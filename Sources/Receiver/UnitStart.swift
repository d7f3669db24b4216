import Positioning

/// The start of one of two system units that contradict each other: it waits until the other one has ended, whoever
/// started that. Only systemd knows, since a daemon before this one may have done it.
struct UnitStart: Hashable {
  private enum Step: Hashable {
    case asking
    /// The other one is at work; asked again then.
    case waiting(until: Instant)
    case running
  }

  let unit: String
  /// `nil`: nobody knows which that was.
  let other: String?
  private var step = Step.asking
  /// Between two questions.
  private var pause = GrowingPause(first: .seconds(1), longest: .seconds(5))

  init(of unit: String, after other: String?) {
    self.unit = unit
    self.other = other
    if other == nil { self.step = .running }
  }

  var first: RungAction { self.other.map { .askUnit($0) } ?? .startUnit(self.unit) }

  /// Whether systemd was asked to start it.
  var isRunning: Bool { self.step == .running }

  var isWaiting: Bool { if case .waiting = self.step { true } else { false } }

  var deadline: Instant? { if case .waiting(let until) = self.step { until } else { nil } }

  /// systemd's answer about the other unit.
  mutating func answered(isBusy: Bool, now: Instant) -> [RungAction] {
    guard self.step == .asking else { return [] }
    guard isBusy else {
      self.step = .running
      return [.startUnit(self.unit)]
    }
    self.step = .waiting(until: now + self.pause.take())
    return []
  }

  mutating func deadlineReached(now: Instant) -> [RungAction] {
    guard let other, case .waiting(let until) = self.step, now >= until else { return [] }
    self.step = .asking
    return [.askUnit(other)]
  }
}
