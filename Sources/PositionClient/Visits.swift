import PositionProtocol
import Positioning

extension PositionClient {
  /// Visits, stays of the device at one place: one update after five minutes at the place, and another when the device
  /// has left.
  ///
  /// If nobody else needs fixes, the receiver is turned on for a probe every few minutes.
  public nonisolated func visits() -> Updates<VisitUpdate> {
    self.sequence(of: VisitSubscribeRequest(), keeping: 1000)
  }
}

/// One delivery of `PositionClient.visits`: a stay of the device at one place, or a change of the connection.
public struct VisitUpdate: Hashable, Sendable {
  /// The visit: without a departure when the device has arrived, and once more, with the same `id`, when it has left.
  /// Absent if the connection changed.
  public var visit: Visit?
  /// How many were dropped since the last update because more than 1000 were not taken in time.
  public var dropped: Int
  /// `.disconnected`, `.suspended` or `.reconnected` if the connection or the permission on it changed; else
  /// absent.
  public var reason: DeliveryReason?

  /// Creates an update, for a program's tests.
  public init(visit: Visit? = nil, dropped: Int = 0, reason: DeliveryReason? = nil) {
    self.visit = visit
    self.dropped = dropped
    self.reason = reason
  }
}

extension VisitUpdate: SubscriptionUpdate {
  typealias Request = VisitSubscribeRequest

  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: VisitSubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init?(_ notification: any AddressedNotification) {
    guard let update = notification as? VisitUpdateNotification else { return nil }
    self.init(visit: update.visit)
  }

  var reveals: Precision? { self.visit.map { _ in .precise } }

  mutating func passOver(_ older: Self) {
    self.dropped = self.dropped.plus(older.dropped).plus(1)
  }
}
