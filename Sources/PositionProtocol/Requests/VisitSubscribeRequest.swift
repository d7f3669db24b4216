public import JSONRPC
public import Positioning

/// Delivers arrivals and departures at places where the device stays.
public struct VisitSubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "visit.subscribe"
  public static let summary = "Delivers arrivals and departures at places where the device stays."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.accuracyLimited]
  public static let usual: Set<String> = ["subscription"]

  /// The durable name that makes it outlive the connection.
  public var durable: DurableRequest?

  public init(durable: DurableRequest? = nil) {
    self.durable = durable
  }

  public static let wire = ObjectCodec<VisitSubscribeRequest>(blank: VisitSubscribeRequest()) {
    Field.optional(
      "durable", \.durable, DurableRequest.codec, example: DurableRequest.example,
      "The durable name that makes it outlive the connection.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}
