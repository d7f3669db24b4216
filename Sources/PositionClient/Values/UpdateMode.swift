public import Positioning

/// How `PositionClient.updates` delivers, and what it needs of the receiver.
public enum UpdateMode: Hashable, Sendable {
  /// Each fix as it arrives; keeps the receiver on.
  case continuous
  /// Each fix that others need; never turns the receiver on.
  case passive
  /// A fix once the device is so many metres from where the last one was, and so much later; lets the receiver sleep most
  /// of the time. With `acquire` each change is followed up with a better fix.
  case significant(distance: Double = 500, interval: Duration = .seconds(300), acquire: Acquisition? = nil)
  /// Collects fixes and delivers them together, once their path is so many metres long, or so long after the first of
  /// them; one of the two is needed. Keeps the receiver on, and lets the program sleep.
  case deferred(distance: Double? = nil, timeout: Duration? = nil)
}

extension SubscriptionChange {
  /// What the mode asks for, and nothing of another mode.
  init(_ mode: UpdateMode) {
    self.init()
    switch mode {
    case .continuous: self.mode = .continuous
    case .passive: self.mode = .passive
    case .significant(let distance, let interval, let acquire):
      self.mode = .significant
      self.significantDistance = distance
      self.significantInterval = interval
      self.acquire = acquire
    case .deferred(let distance, let timeout):
      self.mode = .deferred
      self.deferredDistance = distance
      self.deferredTimeout = timeout
    }
  }
}
