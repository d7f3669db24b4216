public import JSONRPC
public import Positioning

/// One delivery of a status subscription: the whole status, and which of its parts changed.
///
/// On the wire the status' members stand beside `subscription`. It is the whole so that a client needs no copy of its
/// own to merge changes into.
public struct StatusUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "status.update"
  public static let summary = "One delivery of a status subscription: the whole status, and which of its parts changed."

  /// Its number.
  public var subscription: Int
  /// What changed since the update before; all at first.
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
    Field.required("subscription", \.subscription, .integer(minimum: 1), example: 1, "Its number.")
    Field.required(
      "changed", \.changed, .array(of: DaemonStatus.Part.codec), example: ["power"],
      "What changed since the update before; all at first.")
    DaemonStatus.wire.fields(within: \StatusUpdateNotification.status)
  }
}
