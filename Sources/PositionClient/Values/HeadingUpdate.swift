import PositionProtocol
import Positioning

extension HeadingUpdate: SubscriptionUpdate {
  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: HeadingSubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init?(_ notification: any AddressedNotification) {
    guard let update = notification as? HeadingUpdateNotification else { return nil }
    self = update.update
  }

  var reveals: Precision? { self.heading.map { _ in .precise } }

  mutating func passOver(_ older: Self) { self.dropped = self.dropped.plus(older.dropped).plus(1) }

  typealias Request = HeadingSubscribeRequest
}
