import Positioning

/// What follows from an event for the holders of subscriptions and regions, in this order.
enum HolderEffect: Hashable, Sendable {
  case notify(ClientID, Notification)
  /// An event of a durable name.
  case post(DurableContent, to: DurableID)
  case store(StoreChange)
}
