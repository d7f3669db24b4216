public import JSONRPC

/// Delivers the status whenever it changes.
public struct StatusSubscribeRequest: RequestType, Hashable {
  public static let method = "status.subscribe"
  public static let summary = "Delivers the status whenever it changes."
  public static let isAllowedInBatch = false

  public init() {}

  public static let parameters: [FieldDescription] = []

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", .reference(SubscriptionResult.schemaName), "Where the subscription stands.")
}
