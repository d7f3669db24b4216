public import JSONRPC
public import Positioning

/// One delivery of a position subscription. On the wire the update's members stand beside those that name the
/// subscription.
public struct PositionUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "position.update"
  public static let summary =
    "One delivery of a position subscription: a fix, a batch, or a change of its availability or state."

  /// The subscription's number on this connection; absent for a durable one.
  public var subscription: Int?
  /// The durable name to which it belongs.
  public var durable: String?
  /// The number with which to acknowledge the event, if it is durable.
  public var eventId: Int?
  public var update: PositionUpdate

  private init(_ update: PositionUpdate) { self.update = update }

  public init(subscription: Int, _ update: PositionUpdate) {
    self.subscription = subscription
    self.update = update
  }

  public init(durable: String, eventId: Int, _ update: PositionUpdate) {
    self.durable = durable
    self.eventId = eventId
    self.update = update
  }

  public static let wire = ObjectCodec<PositionUpdateNotification>(
    blank: PositionUpdateNotification(PositionUpdate.wire.blank)
  ) {
    UpdateSource.subscription(\.subscription)
    UpdateSource.durable(\.durable)
    UpdateSource.eventId(\.eventId)
    PositionUpdate.wire.fields(within: \PositionUpdateNotification.update)
  }
}
