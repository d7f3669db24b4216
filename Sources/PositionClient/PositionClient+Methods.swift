import EventLoop
public import PositionProtocol
public import Positioning

extension PositionClient {
  /// One fix: at once where a cached one serves, else within the timeout.
  ///
  /// Running out of time is a result, not an error: the best fix so far is in it.
  ///
  /// - Parameters:
  ///   - accuracy: What the client would like; `nil`, what any fix of a working receiver meets.
  ///   - acceptableAccuracy: What it would accept at the timeout; `nil`, the same.
  ///   - maximumAge: How old the fix may be; `nil`, as old as the level of `accuracy` allows.
  ///   - timeout: How long to wait; zero is no limit but the daemon's own.
  ///   - activity: What moves the device.
  /// - Throws: `PositionError`; `.cancelled` when the task was cancelled, and the daemon was told so.
  public func position(
    accuracy: AccuracyDemand? = nil, acceptableAccuracy: AccuracyDemand? = nil, maximumAge: Duration? = nil,
    timeout: Duration = .seconds(30), activity: Activity = .other
  ) async throws(PositionError) -> PositionResult {
    PositionResult(
      try await self.send(
        PositionGetRequest(
          accuracy: accuracy, acceptableAccuracy: acceptableAccuracy, maxAge: maximumAge?.wireSeconds,
          timeout: timeout.wireSeconds, activity: activity)))
  }

  /// The newest fix, however old; never turns the receiver on.
  public func last() async throws(PositionError) -> LastPosition {
    LastPosition(try await self.send(PositionLastRequest()))
  }

  /// Fixes as they come, from when it is iterated until the loop is left.
  ///
  /// - Parameters:
  ///   - mode: Whether it turns the receiver on, or rides on what others need.
  ///   - accuracy: What is asked of the receiver; `nil`, as fine as it can. It withholds no fix.
  ///   - minInterval: The least time between two updates.
  ///   - minDistance: Metres from the last delivered fix.
  ///   - maxInterval: After so long without an update the newest fix is told again.
  ///   - onlyBetterThan: Metres; fixes of a larger or unknown accuracy are withheld.
  ///   - maxUpdates: Ends it after so many updates with a fix.
  ///   - duration: Ends it after so long.
  ///   - activity: What moves the device.
  ///   - replay: Which cached fix comes first.
  public nonisolated func updates(
    mode: PositionSubscribeRequest.Mode = .continuous, accuracy: AccuracyDemand? = nil,
    minInterval: Duration = .seconds(1), minDistance: Double = 0, maxInterval: Duration? = nil,
    onlyBetterThan: Double? = nil, maxUpdates: Int? = nil, duration: Duration? = nil, activity: Activity = .other,
    replay: PositionSubscribeRequest.Replay = .fresh
  ) -> Updates<PositionUpdate> {
    let request = PositionSubscribeRequest(
      mode: mode, accuracy: accuracy, minInterval: minInterval.wireSeconds, minDistance: minDistance,
      maxInterval: maxInterval?.wireSeconds, onlyBetterThan: onlyBetterThan, maxUpdates: maxUpdates,
      duration: duration?.wireSeconds, activity: activity, replay: replay)
    return Updates { () async throws(PositionError) in
      let mailbox = Mailbox<PositionUpdate> { oldest, next in next.dropped += oldest.dropped + 1 }
      return try await self.subscribe(request, into: mailbox) { notification in
        (notification as? PositionUpdateNotification).map { PositionUpdate($0) }
      }
    }
  }

  /// The satellites that the receiver saw last; `nil` where it has told nothing.
  public func sky() async throws(PositionError) -> Sky? {
    Sky(try await self.send(SkyGetRequest()), now: EventLoop.readClock())
  }

  /// The satellites that the receiver sees, while something else keeps it on. Of those not taken in time the newest
  /// count.
  ///
  /// - Parameter minInterval: The least time between two updates.
  public nonisolated func skyUpdates(minInterval: Duration = .seconds(1)) -> Updates<Sky> {
    let request = SkySubscribeRequest(minInterval: minInterval.wireSeconds)
    return Updates { () async throws(PositionError) in
      let mailbox = Mailbox<Sky>(capacity: 1) { _, _ in }
      return try await self.subscribe(request, into: mailbox) { notification in
        (notification as? SkyUpdateNotification).flatMap { Sky($0.sky, now: EventLoop.readClock()) }
      }
    }
  }

  /// How the daemon and its receiver do.
  public func status() async throws(PositionError) -> StatusObject {
    try await self.send(StatusGetRequest())
  }

  /// The status, whenever it changes; only the newest is kept for who is late.
  public nonisolated func statusUpdates() -> Updates<StatusObject> {
    Updates { () async throws(PositionError) in
      let mailbox = Mailbox<StatusObject>(capacity: 1) { _, _ in }
      return try await self.subscribe(StatusSubscribeRequest(), into: mailbox) { notification in
        (notification as? StatusUpdateNotification).map(\.status)
      }
    }
  }
}
