public import JSONRPC
public import Positioning

/// Tells arrivals and departures: places where the device stays.
public struct VisitSubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "visit.subscribe"
  public static let summary = "Tells arrivals and departures: places where the device stays."
  public static let isAllowedInBatch = false

  /// Makes it outlive the connection.
  public var durable: DurableRequest?

  public init(durable: DurableRequest? = nil) {
    self.durable = durable
  }

  public static let wire = ObjectCodec<VisitSubscribeRequest>(blank: VisitSubscribeRequest()) {
    Field.optional(
      "durable", \.durable, DurableRequest.codec, example: DurableRequest.example,
      "Makes it outlive the connection.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "Where the subscription stands.")
}
