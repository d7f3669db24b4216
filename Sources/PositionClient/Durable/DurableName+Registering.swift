public import PositionProtocol
public import Positioning

/// What a program registers under a name. Each call returns once the registration is on the disk, and may be repeated:
/// an existing registration is changed. Without a connection, or when it is lost on the way, the call is repeated for
/// up to ten seconds.
extension DurableName {
  /// Watches a region, or changes the one with the same id.
  ///
  /// - Returns: Where the device is, and warnings about the region.
  @discardableResult
  public func add(_ region: Region) async throws(PositionError) -> RegionResult {
    try await self.client.read(RegionAddRequest(region: region, durable: self.parameter))
  }

  /// Stops watching a region.
  ///
  /// The request is sent once: if the connection is lost before the answer arrives, it throws.
  public func remove(region id: String) async throws(PositionError) {
    _ = try await self.client.send(RegionRemoveRequest(id: id, durable: self.name))
  }

  /// All regions in the order in which they were added, each with its state.
  public func regions() async throws(PositionError) -> [RegionInfo] {
    var regions: [RegionInfo] = []
    var ids: Set<String> = []
    while true {
      let request = RegionListRequest(durable: self.name, after: regions.last?.region.id)
      let page = try await self.client.read(request)
      regions += page.regions
      // Without this check a daemon with a wrong cursor would be asked for ever.
      guard page.regions.allSatisfy({ ids.insert($0.region.id).inserted }) else {
        throw .unexpected("a list with a region that it had before")
      }
      if page.omitted == nil || page.regions.isEmpty { return regions }
    }
  }

  /// Registers visits: each arrival and departure becomes an event.
  public func subscribeVisits() async throws(PositionError) {
    _ = try await self.client.read(VisitSubscribeRequest(durable: self.parameter))
  }

  /// Registers significant changes of the position, in place of an earlier registration of positions.
  ///
  /// - Parameters:
  ///   - distance: Metres from the last delivery.
  ///   - interval: The least time between two deliveries.
  ///   - acquire: Searches for a better fix after each change; `nil`: the fix that showed the change is delivered
  ///     alone.
  ///   - accuracy: The accuracy to request of the receiver; `nil`: the best.
  ///   - activity: What moves the device.
  ///   - duration: Ends it after so long.
  public func subscribeSignificant(
    distance: Double = 500, interval: Duration = .seconds(300), acquire: Acquisition? = nil,
    accuracy: AccuracyDemand? = nil, activity: Activity = .other, duration: Duration? = nil
  ) async throws(PositionError) {
    var asked = SubscriptionChange(.significant(distance: distance, interval: interval, acquire: acquire))
    asked.accuracy = accuracy
    asked.duration = duration
    asked.activity = activity
    _ = try await self.client.read(PositionSubscribeRequest(asked, durable: self.parameter))
  }

  /// Registers fixes that are collected and delivered in batches, in place of an earlier registration of positions.
  ///
  /// - Parameters:
  ///   - distance: Metres of path after which a batch is delivered; this or `timeout` is required.
  ///   - timeout: How long after its first fix a batch is delivered.
  ///   - accuracy: The accuracy to request of the receiver; `nil`: the best.
  ///   - minInterval: The least time between two fixes of a batch.
  ///   - minDistance: Metres between two fixes of a batch.
  ///   - onlyBetterThan: Metres; fixes of a larger or unknown accuracy are not collected.
  ///   - activity: What moves the device.
  ///   - autoPause: Whether collecting pauses, and the receiver sleeps, while the device rests.
  ///   - duration: Ends it after so long.
  public func subscribeDeferred(
    distance: Double? = nil, timeout: Duration? = nil, accuracy: AccuracyDemand? = nil,
    minInterval: Duration = .seconds(1), minDistance: Double = 0, onlyBetterThan: Double? = nil,
    activity: Activity = .other, autoPause: Bool = false, duration: Duration? = nil
  ) async throws(PositionError) {
    var asked = SubscriptionChange(.deferred(distance: distance, timeout: timeout))
    asked.accuracy = accuracy
    asked.minInterval = minInterval
    asked.minDistance = minDistance
    asked.onlyBetterThan = onlyBetterThan
    asked.duration = duration
    asked.activity = activity
    asked.autoPause = autoPause
    _ = try await self.client.read(PositionSubscribeRequest(asked, durable: self.parameter))
  }
}

/// Commands for the position registration; their results are among the events.
extension DurableName {
  /// Pauses delivery and the need of the receiver until it is resumed.
  public func pause() async throws(PositionError) {
    _ = try await self.client.read(SubscriptionPauseRequest(.durable(self.name)))
  }

  /// Resumes delivery, whatever paused it.
  public func resume() async throws(PositionError) {
    _ = try await self.client.read(SubscriptionResumeRequest(.durable(self.name)))
  }

  /// Searches for a fix now.
  public func acquire() async throws(PositionError) {
    _ = try await self.client.read(SubscriptionAcquireRequest(.durable(self.name)))
  }

  /// Delivers now what the batch has collected.
  public func flush() async throws(PositionError) {
    _ = try await self.client.read(SubscriptionFlushRequest(.durable(self.name)))
  }
}
