public import PositionProtocol
public import Positioning

extension PositionClient {
  /// One fix: at once where a cached one serves, else within the timeout.
  ///
  /// Running out of time is a result, not an error: the best fix so far is in it. Where the connection is lost on the
  /// way, it is asked again for the time that is left.
  ///
  /// - Parameters:
  ///   - accuracy: What the client would like; `nil`, what any fix of a working receiver meets.
  ///   - acceptableAccuracy: What it would accept at the timeout; `nil`, the same.
  ///   - maximumAge: How old the fix may be; `nil`, as old as the level of `accuracy` allows.
  ///   - timeout: How long to wait; zero is no limit but the daemon's own.
  ///   - activity: What moves the device.
  ///   - delayUntilAuthorized: Whether the timeout starts only when it is decided whether this program may know: a person
  ///     who is asked may take two minutes.
  /// - Throws: `PositionError`; `.notPermitted` where the program may not know; `.cancelled` when the task was cancelled, and
  ///   the daemon was told so; why the daemon cannot be reached where it could not be within the timeout.
  public func position(
    accuracy: AccuracyDemand? = nil, acceptableAccuracy: AccuracyDemand? = nil, maximumAge: Duration? = nil,
    timeout: Duration = .seconds(30), activity: Activity = .other, delayUntilAuthorized: Bool = false
  ) async throws(PositionError) -> PositionResult {
    let limit = delayUntilAuthorized ? timeout.bounded + Self.answerTime : timeout
    return PositionResult(
      try await self.read(within: timeout == .zero ? nil : limit) { left in
        PositionGetRequest(
          accuracy: accuracy, acceptableAccuracy: acceptableAccuracy, maxAge: maximumAge?.wireSeconds,
          timeout: min(timeout, left ?? timeout).wireSeconds, activity: activity,
          delayUntilAuthorized: delayUntilAuthorized ? true : nil)
      })
  }

  /// The newest fix, however old; never turns the receiver on.
  ///
  /// Where there is no connection it waits for one, but no longer than ten seconds.
  public func last() async throws(PositionError) -> LastPosition {
    LastPosition(try await self.read(PositionLastRequest()))
  }

  /// Fixes as they come, from when it is iterated until the loop is left.
  ///
  /// When the connection is lost, there comes an update without a fix for the reason `.disconnected`, and one for
  /// `.reconnected` once it stands again; then fixes go on. The first fix after that comes whatever `minInterval` and
  /// `minDistance` say, and no fix comes twice.
  ///
  /// - Parameters:
  ///   - mode: How it delivers, and what it needs of the receiver.
  ///   - accuracy: What is asked of the receiver; `nil`, as fine as it can. It withholds no fix.
  ///   - minInterval: The least time between two updates.
  ///   - minDistance: Metres from the last delivered fix.
  ///   - maxInterval: After so long without an update the newest fix is told again.
  ///   - onlyBetterThan: Metres; fixes of a larger or unknown accuracy are withheld.
  ///   - maxUpdates: Ends it after so many updates with a fix.
  ///   - duration: Ends it after so long.
  ///   - activity: What moves the device.
  ///   - autoPause: Whether delivery pauses, and the receiver sleeps, while the device rests; movement resumes it.
  ///   - replay: Which cached fix comes first.
  ///   - control: Pauses and resumes it, and has it get or deliver fixes, while it is iterated.
  public nonisolated func updates(
    mode: UpdateMode = .continuous, accuracy: AccuracyDemand? = nil, minInterval: Duration = .seconds(1),
    minDistance: Double = 0, maxInterval: Duration? = nil, onlyBetterThan: Double? = nil, maxUpdates: Int? = nil,
    duration: Duration? = nil, activity: Activity = .other, autoPause: Bool = false,
    replay: PositionSubscribeRequest.Replay = .fresh, control: SubscriptionControl? = nil
  ) -> Updates<PositionUpdate> {
    let request = PositionSubscribeRequest(
      accuracy: accuracy, minInterval: minInterval.wireSeconds, minDistance: minDistance,
      maxInterval: maxInterval?.wireSeconds, onlyBetterThan: onlyBetterThan, maxUpdates: maxUpdates,
      duration: duration?.wireSeconds, activity: activity, autoPause: autoPause, replay: replay)
    return self.sequence(of: request.with(mode), control: control)
  }
}
