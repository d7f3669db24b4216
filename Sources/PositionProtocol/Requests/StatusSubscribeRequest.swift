public import JSONRPC

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
