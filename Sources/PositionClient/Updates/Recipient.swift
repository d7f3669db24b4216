package import JSONRPC
package import PositionProtocol

/// The address of a notification: what identifies a subscription on one connection.
package enum Recipient: Hashable, Sendable {
  /// The number that the daemon gave the subscription.
  case subscription(Int)
  /// The id that this client gave the region.
  case region(String)
  /// The durable name that the connection is attached to.
  case durable(String)

  /// `nil` if neither is present.
  init?(subscription: Int?, durable: String? = nil) {
    switch (subscription, durable) {
    case (_, let durable?): self = .durable(durable)
    case (let subscription?, nil): self = .subscription(subscription)
    case (nil, nil): return nil
    }
  }
}

/// A notification for one subscription.
package protocol AddressedNotification: NotificationType {
  var recipient: Recipient? { get }
}

/// A notification for the connection as a whole; each subscription may use it.
package protocol AnnouncedNotification: NotificationType {}

extension AuthorizationChangedNotification: AnnouncedNotification {}
extension AuthorizationPromptedNotification: AnnouncedNotification {}

extension PositionUpdateNotification: AddressedNotification {
  package var recipient: Recipient? { Recipient(subscription: self.subscription, durable: self.durable) }
}

extension RegionEventNotification: AddressedNotification {
  package var recipient: Recipient? { self.durable.map { .durable($0) } ?? .region(self.event.id) }
}

extension VisitUpdateNotification: AddressedNotification {
  package var recipient: Recipient? { Recipient(subscription: self.subscription, durable: self.durable) }
}

extension DurableOverflowNotification: AddressedNotification {
  package var recipient: Recipient? { .durable(self.durable) }
}

extension HeadingUpdateNotification: AddressedNotification {
  package var recipient: Recipient? { Recipient(subscription: self.subscription) }
}

extension SkyUpdateNotification: AddressedNotification {
  package var recipient: Recipient? { Recipient(subscription: self.subscription) }
}

extension StatusUpdateNotification: AddressedNotification {
  package var recipient: Recipient? { Recipient(subscription: self.subscription) }
}

extension SubscriptionEndedNotification: AddressedNotification {
  package var recipient: Recipient? { Recipient(subscription: self.subscription, durable: self.durable) }
}
