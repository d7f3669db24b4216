import PositionProtocol
public import Positioning

extension PositionClient {
  /// The status of the daemon and its receiver.
  ///
  /// Without a connection it waits for one for up to ten seconds.
  public func status() async throws(PositionError) -> DaemonStatus {
    try await self.read(StatusGetRequest())
  }

  /// The receiver's time, and what is known of this machine's clock. It never turns the receiver on.
  ///
  /// Without a connection it waits for one for up to ten seconds.
  public func time() async throws(PositionError) -> ReceiverTime {
    try await self.read(TimeGetRequest())
  }

  /// The status whenever it changes. Only the newest update is kept for a slow reader.
  public nonisolated func statusUpdates() -> Updates<StatusUpdate> {
    self.sequence(of: StatusSubscribeRequest(), keeping: 1)
  }
}

/// One delivery of `PositionClient.statusUpdates`: the status of the daemon, or a change of the connection.
public struct StatusUpdate: Hashable, Sendable {
  /// The whole status; absent if the connection changed.
  public var status: DaemonStatus?
  /// The parts that changed since the previous update; all of them in the first.
  public var changed: [DaemonStatus.Part]
  /// `.disconnected` or `.reconnected` if the connection changed, else absent.
  public var reason: DeliveryReason?

  /// Creates an update, for a program's tests.
  public init(status: DaemonStatus? = nil, changed: [DaemonStatus.Part] = [], reason: DeliveryReason? = nil) {
    self.status = status
    self.changed = changed
    self.reason = reason
  }
}

extension StatusUpdate: SubscriptionUpdate {
  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: StatusSubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init?(_ notification: any AddressedNotification) {
    guard let update = notification as? StatusUpdateNotification else { return nil }
    self.init(status: update.status, changed: update.changed)
  }

  var reveals: Precision? { self.status?.lastFix.map { _ in .precise } }

  typealias Request = StatusSubscribeRequest

  mutating func passOver(_ older: Self) {
    self.changed = DaemonStatus.Part.allCases.filter { older.changed.contains($0) || self.changed.contains($0) }
  }
}
