public import PositionProtocol
public import Positioning

/// A name under which regions, visits and position updates are registered so that they outlive the program: see
/// `PositionClient.durable`.
///
/// Registrations belong to the user and the name. Their events wait on the disk for a program that iterates `events`,
/// and are deleted only when they are acknowledged.
///
/// ```swift
/// let tracker = client.durable(name: "tracker", wake: "tracker.service")
/// try await tracker.add(Region(id: "home", shape: .circle(center: home, radius: 150)))
/// for try await event in tracker.events() {
///   if let region = event.region { note(region) }
///   try await tracker.acknowledge(event)
/// }
/// ```
public struct DurableName: Sendable {
  /// The name: 1 to 64 bytes without control characters.
  public let name: String
  /// The systemd service that an event starts when no program is attached; `nil`: no service, or the one that was
  /// registered before.
  public let wake: String?
  let client: PositionClient

  /// The parameter of requests that register something.
  var parameter: DurableRequest { DurableRequest(name: self.name, wake: self.wake) }

  /// What is registered under the name, and how many events wait; `nil` if nothing was ever registered, or the name was
  /// removed.
  ///
  /// A long list of regions is cut off; `regions` returns all.
  public func registered() async throws(PositionError) -> DurableInfo? {
    try await self.client.durableNames().first { $0.name == self.name }
  }

  /// Removes the name with its registrations and waiting events.
  ///
  /// The request is sent once: if the connection is lost before the answer arrives, it throws.
  ///
  /// - Returns: How many events were not acknowledged.
  @discardableResult
  public func remove() async throws(PositionError) -> Int {
    try await self.client.send(DurableRemoveRequest(name: self.name)).waiting
  }
}

extension PositionClient {
  /// A name under which to register what outlives this program. This does not contact the daemon.
  ///
  /// - Parameters:
  ///   - name: The name, which belongs to the user: 1 to 64 bytes without control characters.
  ///   - wake: A systemd service that an event starts when no program is attached, such as `tracker.service`; the
  ///     administrator's configuration must list it for the user. `nil`: none, or the one that was registered before.
  public nonisolated func durable(name: String, wake: String? = nil) -> DurableName {
    DurableName(name: name, wake: wake, client: self)
  }

  /// The user's durable names, with what is registered under each.
  ///
  /// Without a connection it waits for one for up to ten seconds.
  public func durableNames() async throws(PositionError) -> [DurableInfo] {
    try await self.read(DurableListRequest()).names
  }
}

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

extension DurableName {
  /// The events of the name in order: first those that wait, then each as it occurs.
  ///
  /// An event is delivered again, in a later loop or a later program, until it is acknowledged. A program that
  /// stores the `id` of the last event that it has handled, and passes it as `last`, gets each event exactly once. One
  /// loop never gets an event twice, even when the connection is lost in between.
  ///
  /// Only one program at a time receives a name's events. When another one begins, this sequence ends with the
  /// reason `.replaced`; when the name is removed, it ends with `.removed`. An event with the reason `.overflow` says
  /// how many events were dropped because nobody took them for a long time. The sequence throws `.failed` with the code
  /// `notFound` if nothing is registered under the name.
  ///
  /// - Parameter last: Acknowledges the events up to this one first; they are not delivered.
  public func events(since last: Int? = nil) -> Updates<DurableEvent> {
    self.client.sequence(of: DurableAttachRequest(name: self.name, sinceEvent: last), keeping: 4096)
  }

  /// Acknowledges an event and all before it: they are not delivered again. Does nothing for an event without a number.
  ///
  /// It returns once the acknowledgement is on the disk. Without a connection it waits for one, as the loop over the
  /// events does.
  public func acknowledge(_ event: DurableEvent) async throws(PositionError) {
    if let id = event.id { try await self.acknowledge(through: id) }
  }

  /// Acknowledges the events up to this number. Without a connection it waits for one.
  public func acknowledge(through id: Int) async throws(PositionError) {
    _ = try await self.client.read(DurableAcknowledgeRequest(name: self.name, event: id), within: nil)
  }
}

/// One delivery of `DurableName.events`: what happened to something registered under the name, or what became of the
/// name, of its inbox or of the connection.
public struct DurableEvent: Hashable, Sendable {
  /// Its number, for `acknowledge`; absent if there is nothing to acknowledge.
  public var id: Int?
  /// The event; absent if there is a `reason` instead.
  public var content: DurableContent?
  /// How many events before it were lost, because nobody took them in time.
  public var dropped: Int
  /// `.overflow`, `.replaced`, `.removed`, `.disconnected`, `.suspended` or `.reconnected` if there is no content, else
  /// absent.
  public var reason: DeliveryReason?

  /// Creates an event, for a program's tests.
  public init(id: Int? = nil, content: DurableContent? = nil, dropped: Int = 0, reason: DeliveryReason? = nil) {
    self.id = id
    self.content = content
    self.dropped = dropped
    self.reason = reason
  }

  /// The event of a region, if it is one.
  public var region: RegionEvent? {
    if case .region(let event)? = self.content { event } else { nil }
  }

  /// The visit, if it is one.
  public var visit: Visit? {
    if case .visit(let visit)? = self.content { visit } else { nil }
  }

  /// The fix or the fixes of the position registration, if it is one.
  public var position: PositionUpdate? {
    if case .position(let update)? = self.content { update } else { nil }
  }
}

extension DeliveryReason {
  /// Events of a durable name were dropped because nobody acknowledged them in time.
  public static let overflow = Self(rawValue: "overflow")
  /// Another program is attached to the durable name now; the sequence ends.
  public static let replaced = Self(rawValue: "replaced")
  /// The durable name was removed; the sequence ends.
  public static let removed = Self(rawValue: "removed")
}

extension DurableEvent: SubscriptionUpdate {
  typealias Request = DurableAttachRequest

  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: DurableInfo) -> Self { Self(reason: .reconnected) }

  static func ended(_ reason: EndReason) -> Self? {
    switch reason {
    case .replaced: Self(reason: .replaced)
    case .cancelled: Self(reason: .removed)
    default: nil  // Kinds of a later daemon.
    }
  }

  package init?(_ notification: any AddressedNotification) {
    switch notification {
    case let event as RegionEventNotification: self.init(id: event.eventId, content: .region(event.event))
    case let update as VisitUpdateNotification: self.init(id: update.eventId, content: .visit(update.visit))
    case let update as PositionUpdateNotification: self.init(id: update.eventId, content: .position(update.update))
    case let overflow as DurableOverflowNotification: self.init(dropped: max(0, overflow.dropped), reason: .overflow)
    default: return nil
    }
  }

  var eventID: Int? { self.id }

  var reveals: Precision? {
    switch self.content {
    case .position(let update): update.reveals
    case .region(let event): event.reveals
    case .visit: .precise
    case nil: nil
    }
  }

  mutating func passOver(_ older: Self) {
    self.dropped = self.dropped.plus(older.dropped).plus(older.id == nil ? 0 : 1)
  }
}
