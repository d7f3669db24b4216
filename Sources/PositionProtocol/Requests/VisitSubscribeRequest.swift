public import JSONRPC

/// Tells arrivals and departures: places where the device stays.
public struct VisitSubscribeRequest: RequestType, Hashable {
  public static let method = "visit.subscribe"
  public static let summary = "Tells arrivals and departures: places where the device stays."
  public static let isAllowedInBatch = false

  /// Makes it outlive the connection.
  public var durable: DurableParameter?

  public init(durable: DurableParameter? = nil) {
    self.durable = durable
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "durable", .object(DurableParameter.fields), .optional, example: DescribedExample.of(DurableParameter.self),
      "Makes it outlive the connection.")
  ]

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", .reference(SubscriptionResult.schemaName), "Where the subscription stands.")
}
