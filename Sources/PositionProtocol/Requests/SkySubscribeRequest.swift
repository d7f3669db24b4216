public import JSONRPC

/// Delivers the satellites that the receiver sees, and turns it on unless it is passive.
public struct SkySubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "sky.subscribe"
  public static let summary = "Delivers the satellites that the receiver sees, and turns it on unless it is passive."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.accuracyLimited]
  public static let usual: Set<String> = ["subscription"]

  /// The least time between two deliveries.
  public var minInterval: Duration
  /// Whether it only rides on what others need, and never turns the receiver on.
  public var isPassive: Bool

  public init(minInterval: Duration = .seconds(1), isPassive: Bool = false) {
    self.minInterval = minInterval
    self.isPassive = isPassive
  }

  public static let wire = ObjectCodec<SkySubscribeRequest>(blank: SkySubscribeRequest()) {
    Field.defaulted(
      "minInterval", \.minInterval, .seconds(.seconds), example: 5, "Seconds between two deliveries.")
    Field.flag(
      "passive", \.isPassive, "Whether it never turns the receiver on: it only delivers what comes for others.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}
