public import JSONRPC
public import Positioning

/// One delivery of a status subscription: the whole status, and which of its parts changed.
///
/// On the wire the status' members stand beside `subscription`. It has the whole status, so that a client
/// need not merge changes into a copy.
public struct StatusUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "status.update"
  public static let summary = "One delivery of a status subscription: the whole status, and which of its parts changed."

  /// The subscription's number on this connection.
  public var subscription: Int
  /// The parts that changed since the last update; all of them in the first.
  public var changed: [DaemonStatus.Part]
  public var status: DaemonStatus

  public init(subscription: Int, changed: [DaemonStatus.Part], status: DaemonStatus) {
    self.subscription = subscription
    self.changed = changed
    self.status = status
  }

  public static let wire = ObjectCodec<StatusUpdateNotification>(
    blank: StatusUpdateNotification(subscription: 0, changed: [], status: DaemonStatus.wire.blank)
  ) {
    Field.required(
      "subscription", \.subscription, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
    Field.required(
      "changed", \.changed, .array(of: DaemonStatus.Part.codec), example: ["power"],
      "The parts that changed since the last update; all of them in the first.")
    DaemonStatus.wire.fields(within: \StatusUpdateNotification.status)
  }
}
