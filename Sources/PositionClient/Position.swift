import PositionProtocol
public import Positioning

extension PositionClient {
  /// One fix: at once if a cached one is good enough, else within the timeout.
  ///
  /// A timeout is a result, not an error: it holds the best fix so far. If the connection is lost, the request is
  /// repeated for the remaining time.
  ///
  /// - Parameters:
  ///   - accuracy: The desired accuracy; `nil`: that of any fix of a working receiver.
  ///   - acceptableAccuracy: The accuracy that is accepted at the timeout; `nil`: the desired one.
  ///   - maximumAge: How old the fix may be; `nil`: as old as the level of `accuracy` allows.
  ///   - timeout: How long to wait; zero: as long as the daemon allows.
  ///   - activity: What moves the device.
  ///   - integrity: The least integrity of the fix.
  ///   - delayUntilAuthorized: Whether the timeout starts only once permission is decided: a person who is asked may
  ///     take two minutes.
  /// - Throws: `PositionError`; `.notPermitted` if the program may not know; `.cancelled` if the task was cancelled,
  ///   which also cancels the request on the daemon; why the daemon cannot be reached, if it could not be within the
  ///   timeout.
  public func position(
    accuracy: AccuracyDemand? = nil, acceptableAccuracy: AccuracyDemand? = nil, maximumAge: Duration? = nil,
    timeout: Duration = .seconds(30), activity: Activity = .other,
    integrity: IntegrityDemand = .suspect, delayUntilAuthorized: Bool = false
  ) async throws(PositionError) -> FixResult {
    let limit = delayUntilAuthorized ? timeout.bounded + Self.answerTime : timeout
    return try await self.read(within: timeout == .zero ? nil : limit) { left in
      PositionGetRequest(
        FixRequest(
          accuracy: accuracy, acceptableAccuracy: acceptableAccuracy, maximumAge: maximumAge,
          timeout: min(timeout, left ?? timeout), activity: activity, integrity: integrity,
          delaysUntilAuthorized: delayUntilAuthorized))
    }
  }

  /// The newest fix, however old. This never turns the receiver on.
  ///
  /// Without a connection it waits for one for up to ten seconds.
  public func last() async throws(PositionError) -> LastFix {
    try await self.read(PositionLastRequest())
  }

  /// Fixes as they arrive, from the start of the iteration until the loop is left.
  ///
  /// When the connection is lost, an update without a fix has the reason `.disconnected`, and another has
  /// `.reconnected` once the connection stands again; then fixes continue. The first fix after that is delivered
  /// regardless of `minInterval` and `minDistance`. No fix is delivered twice.
  ///
  /// - Parameters:
  ///   - mode: How it delivers, and what it needs of the receiver.
  ///   - accuracy: The accuracy to request of the receiver; `nil`: the best. It does not filter fixes.
  ///   - minInterval: The least time between two updates.
  ///   - minDistance: Metres from the last delivered fix.
  ///   - maxInterval: After this time without an update the newest fix is delivered again.
  ///   - onlyBetterThan: Metres; fixes with a larger or unknown accuracy are not delivered.
  ///   - integrity: The least integrity of the fixes; `nil`: all but untrusted ones.
  ///   - maxUpdates: Ends the subscription after so many updates with a fix.
  ///   - duration: Ends the subscription after this time.
  ///   - activity: What moves the device.
  ///   - autoPause: Whether delivery pauses, and the receiver sleeps, while the device rests; movement resumes it.
  ///   - replay: Which cached fix is delivered first.
  ///   - control: Pauses and resumes the subscription, and makes it search for or deliver fixes, during the
  ///     iteration.
  public nonisolated func updates(
    mode: UpdateMode = .continuous, accuracy: AccuracyDemand? = nil, minInterval: Duration = .seconds(1),
    minDistance: Double = 0, maxInterval: Duration? = nil, onlyBetterThan: Double? = nil,
    integrity: IntegrityDemand? = nil, maxUpdates: Int? = nil, duration: Duration? = nil,
    activity: Activity = .other, autoPause: Bool = false,
    replay: SubscriptionParameters.Replay = .fresh, control: SubscriptionControl? = nil
  ) -> Updates<PositionUpdate> {
    var asked = SubscriptionChange(mode)
    asked.accuracy = accuracy
    asked.minInterval = minInterval
    asked.minDistance = minDistance
    asked.maxInterval = maxInterval
    asked.onlyBetterThan = onlyBetterThan
    asked.integrity = integrity
    asked.maxUpdates = maxUpdates
    asked.duration = duration
    asked.activity = activity
    asked.autoPause = autoPause
    asked.replay = replay
    return self.sequence(of: PositionSubscribeRequest(asked), control: control)
  }
}

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

extension PositionUpdate: SubscriptionUpdate {
  typealias Request = PositionSubscribeRequest

  init?(_ notification: any AddressedNotification) {
    guard let update = notification as? PositionUpdateNotification else { return nil }
    self = update.update
  }

  static let disconnected = Self(availability: .unknown, state: .waiting, reason: .disconnected)
  static let suspended = Self(availability: .denied, state: .suspended, reason: .suspended)

  static func reconnected(_ answer: SubscriptionResult) -> Self {
    Self(availability: answer.availability, state: answer.state, reason: .reconnected)
  }

  var arrival: Instant? { self.fix?.arrival ?? self.fixes.last?.arrival }

  /// Fixes that were dropped from a full batch were no deliveries.
  var deliveries: Int { self.fixes.isEmpty ? self.dropped.plus(1) : 1 }

  var reveals: Precision? { (self.fixes + (self.fix.map { [$0] } ?? [])).map(\.reveals).max() }

  mutating func passOver(_ older: Self) {
    self.dropped = self.dropped.plus(older.dropped).plus(max(1, older.fixes.count))
  }
}
