import PositionProtocol
import Positioning

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
