public import JSONRPC
public import Positioning

/// Returns the status of the daemon and its receiver.
public struct StatusGetRequest: RequestType, WireObject, Hashable {
  public static let method = "status.get"
  public static let summary = "Returns the status of the daemon and its receiver."
  public static let usual: Set<String> = ["demand", "lastFix"]

  public init() {}

  public static let wire = ObjectCodec<StatusGetRequest>(blank: StatusGetRequest()) {}

  public typealias Result = DaemonStatus
  public static let result = ResultDescription(
    "status", DaemonStatus.wire.schema, "The status of the daemon and its receiver.")
}

/// Delivers the status whenever it changes.
public struct StatusSubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "status.subscribe"
  public static let summary = "Delivers the status whenever it changes."
  public static let isAllowedInBatch = false
  public static let usual: Set<String> = ["subscription"]

  public init() {}

  public static let wire = ObjectCodec<StatusSubscribeRequest>(blank: StatusSubscribeRequest()) {}

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}

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
