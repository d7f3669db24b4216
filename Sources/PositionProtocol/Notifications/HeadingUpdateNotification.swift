public import JSONRPC
public import Positioning

/// One delivery of a heading subscription. On the wire the update's members stand beside `subscription`.
public struct HeadingUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "heading.update"
  public static let summary = "One delivery of a heading subscription: a heading, or a change of its state."

  /// The subscription's number on this connection.
  public var subscription: Int
  public var update: HeadingUpdate

  public init(subscription: Int, _ update: HeadingUpdate) {
    self.subscription = subscription
    self.update = update
  }

  public static let wire = ObjectCodec<HeadingUpdateNotification>(
    blank: HeadingUpdateNotification(subscription: 0, HeadingUpdate.wire.blank)
  ) {
    Field.required(
      "subscription", \.subscription, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
    HeadingUpdate.wire.fields(within: \HeadingUpdateNotification.update)
  }
}
