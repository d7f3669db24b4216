import JSONRPC
import PositionProtocol

/// Whose a notification is: what a subscription is known by on one connection.
enum Recipient: Hashable, Sendable {
  /// By the number that the daemon gave it.
  case subscription(Int)

  /// `nil` where there is nothing to know it by.
  init?(subscription: Int?) {
    guard let subscription else { return nil }
    self = .subscription(subscription)
  }
}

/// A notification for one subscription.
protocol AddressedNotification: NotificationType {
  var recipient: Recipient? { get }
}

extension PositionUpdateNotification: AddressedNotification {
  var recipient: Recipient? { Recipient(subscription: self.subscription) }
}

extension HeadingUpdateNotification: AddressedNotification {
  var recipient: Recipient? { Recipient(subscription: self.subscription) }
}

extension SkyUpdateNotification: AddressedNotification {
  var recipient: Recipient? { Recipient(subscription: self.subscription) }
}

extension StatusUpdateNotification: AddressedNotification {
  var recipient: Recipient? { Recipient(subscription: self.subscription) }
}

extension SubscriptionEndedNotification: AddressedNotification {
  var recipient: Recipient? { Recipient(subscription: self.subscription) }
}
