public import Positioning

/// How `PositionClient.updates` delivers, and what it needs of the receiver.
///
/// It is `SubscriptionParameters.Mode` with the parameters that go with each mode, so that a program cannot pass those of
/// another mode.
public enum UpdateMode: Hashable, Sendable {
  /// Each fix as it arrives; keeps the receiver on.
  case continuous
  /// Each fix that others need; never turns the receiver on.
  case passive
  /// A fix once the device is this far from the last delivered fix, and this much time has passed; lets the receiver
  /// sleep most of the time. With `acquire` a better fix is searched for after each change.
  case significant(distance: Double = 500, interval: Duration = .seconds(300), acquire: Acquisition? = nil)
  /// Collects fixes and delivers them together, once their path has this length, or this long after the first of them;
  /// one of the two is required. Keeps the receiver on, and lets the program sleep.
  case deferred(distance: Double? = nil, timeout: Duration? = nil)
}

extension SubscriptionChange {
  /// The parameters of the mode, and nothing of another mode.
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
