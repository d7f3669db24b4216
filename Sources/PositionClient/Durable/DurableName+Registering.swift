public import PositionProtocol
public import Positioning

/// What is registered under a name. Each call returns once it is on the disk, and may be repeated: what is there already
/// is changed. Where there is no connection, or it is lost on the way, it is asked again for up to ten seconds.
extension DurableName {
  /// Watches a region, or changes the one of its id.
  ///
  /// - Returns: Where the device is, and what you should know of the region though it is accepted.
  @discardableResult
  public func add(_ region: Region) async throws(PositionError) -> RegionResult {
    try await self.client.read(RegionAddRequest(region: RegionObject(region), durable: self.parameter))
  }

  /// Watches a region no more.
  ///
  /// It is sent once: where the connection is lost before the answer comes, it throws.
  public func remove(region id: String) async throws(PositionError) {
    _ = try await self.client.send(RegionRemoveRequest(id: id, durable: self.reference))
  }

  /// All regions, with where the device is, in the order in which they were added.
  public func regions() async throws(PositionError) -> [WatchedRegionObject] {
    var regions: [WatchedRegionObject] = []
    var ids: Set<String> = []
    while true {
      let request = RegionListRequest(durable: self.reference, after: regions.last?.region.id)
      let page = try await self.client.read(request)
      regions += page.regions
      // Else a daemon that counts wrong is asked for ever.
      guard page.regions.allSatisfy({ ids.insert($0.region.id).inserted }) else {
        throw .unexpected("a list with a region that it had before")
      }
      if page.omitted == nil || page.regions.isEmpty { return regions }
    }
  }

  /// Has the device's visits told.
  public func subscribeVisits() async throws(PositionError) {
    _ = try await self.client.read(VisitSubscribeRequest(durable: self.parameter))
  }

  /// Has significant changes of the position told, in place of what was registered of positions before.
  ///
  /// - Parameters:
  ///   - distance: Metres from the last delivery.
  ///   - interval: The least time between two deliveries.
  ///   - acquire: Follows each change up with a better fix; `nil`, the fix that shows it will do.
  ///   - accuracy: What is asked of the receiver; `nil`, as fine as it can.
  ///   - activity: What moves the device.
  ///   - duration: Ends it after so long.
  public func subscribeSignificant(
    distance: Double = 500, interval: Duration = .seconds(300), acquire: Acquisition? = nil,
    accuracy: AccuracyDemand? = nil, activity: Activity = .other, duration: Duration? = nil
  ) async throws(PositionError) {
    let request = PositionSubscribeRequest(
      accuracy: accuracy, duration: duration?.wireSeconds, activity: activity, durable: self.parameter)
    let mode = UpdateMode.significant(distance: distance, interval: interval, acquire: acquire)
    _ = try await self.client.read(request.with(mode))
  }

  /// Has fixes collected and told in batches, in place of what was registered of positions before.
  ///
  /// - Parameters:
  ///   - distance: Metres of a batch's path; this or `timeout` is needed.
  ///   - timeout: How long after its first fix a batch comes.
  ///   - accuracy: What is asked of the receiver; `nil`, as fine as it can.
  ///   - minInterval: The least time between two fixes of a batch.
  ///   - minDistance: Metres between two fixes of a batch.
  ///   - onlyBetterThan: Metres; fixes of a larger or unknown accuracy are not collected.
  ///   - activity: What moves the device.
  ///   - autoPause: Whether nothing is collected, and the receiver sleeps, while the device rests.
  ///   - duration: Ends it after so long.
  public func subscribeDeferred(
    distance: Double? = nil, timeout: Duration? = nil, accuracy: AccuracyDemand? = nil,
    minInterval: Duration = .seconds(1), minDistance: Double = 0, onlyBetterThan: Double? = nil,
    activity: Activity = .other, autoPause: Bool = false, duration: Duration? = nil
  ) async throws(PositionError) {
    let request = PositionSubscribeRequest(
      accuracy: accuracy, minInterval: minInterval.wireSeconds, minDistance: minDistance,
      onlyBetterThan: onlyBetterThan, duration: duration?.wireSeconds, activity: activity, autoPause: autoPause,
      durable: self.parameter)
    _ = try await self.client.read(request.with(.deferred(distance: distance, timeout: timeout)))
  }
}

/// What steers the position registration; what comes of it is told among the events.
extension DurableName {
  /// Stops what it delivers, and what it needs of the receiver, until it is resumed.
  public func pause() async throws(PositionError) {
    _ = try await self.client.read(SubscriptionPauseRequest(durable: self.reference))
  }

  /// Lets it go on, whatever paused it.
  public func resume() async throws(PositionError) {
    _ = try await self.client.read(SubscriptionResumeRequest(durable: self.reference))
  }

  /// Gets a fix now.
  public func acquire() async throws(PositionError) {
    _ = try await self.client.read(SubscriptionAcquireRequest(durable: self.reference))
  }

  /// Has what it has collected delivered now.
  public func flush() async throws(PositionError) {
    _ = try await self.client.read(SubscriptionFlushRequest(durable: self.reference))
  }
}
