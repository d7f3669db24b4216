public import JSONRPC

/// Delivers the satellites that the receiver sees, and turns it on.
public struct SkySubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "sky.subscribe"
  public static let summary = "Delivers the satellites that the receiver sees, and turns it on."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.accuracyLimited]
  public static let usual: Set<String> = ["subscription"]

  /// The least time between two deliveries.
  public var minInterval: Duration

  public init(minInterval: Duration = .seconds(1)) {
    self.minInterval = minInterval
  }

  public static let wire = ObjectCodec<SkySubscribeRequest>(blank: SkySubscribeRequest()) {
    Field.defaulted(
      "minInterval", \.minInterval, .seconds(.seconds), example: 5, "Seconds between two deliveries.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}
