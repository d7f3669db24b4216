import PositionProtocol
public import Positioning

extension PositionClient {
  /// The satellites that the receiver saw last; `nil` if it has reported nothing.
  ///
  /// Without a connection it waits for one for up to ten seconds.
  public func sky() async throws(PositionError) -> Sky? {
    try await self.read(SkyGetRequest()).sky
  }

  /// The satellites that the receiver sees. The receiver stays on for it unless it is passive. Only the newest update is kept for a slow
  /// reader.
  ///
  /// - Parameters:
  ///   - minInterval: The least time between two updates.
  ///   - isPassive: Whether it only gets what comes for others, and never turns the receiver on.
  public nonisolated func skyUpdates(
    minInterval: Duration = .seconds(1), isPassive: Bool = false
  ) -> Updates<SkyUpdate> {
    self.sequence(of: SkySubscribeRequest(minInterval: minInterval, isPassive: isPassive), keeping: 1)
  }
}

/// One delivery of `PositionClient.skyUpdates`: the satellites, or a change of the connection.
public struct SkyUpdate: Hashable, Sendable {
  /// The satellites; absent if the receiver has reported none, or the connection changed.
  public var sky: Sky?
  /// `.disconnected`, `.suspended` or `.reconnected` if the connection or the permission on it changed; else
  /// absent.
  public var reason: DeliveryReason?

  /// Creates an update, for a program's tests.
  public init(sky: Sky? = nil, reason: DeliveryReason? = nil) {
    self.sky = sky
    self.reason = reason
  }
}

extension SkyUpdate: SubscriptionUpdate {
  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: SkySubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init?(_ notification: any AddressedNotification) {
    guard let update = notification as? SkyUpdateNotification else { return nil }
    self.init(sky: update.sky)
  }

  var reveals: Precision? { self.sky.map { _ in .precise } }

  typealias Request = SkySubscribeRequest
}
