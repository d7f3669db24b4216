public import JSONRPC

/// Delivers headings as they change, and turns the receiver on.
public struct HeadingSubscribeRequest: RequestType, WireObject, Hashable {
  public static let method = "heading.subscribe"
  public static let summary = "Delivers headings as they change, and turns the receiver on."
  public static let isAllowedInBatch = false

  /// Degrees around the circle from the last delivered heading.
  public var minChange: Double?
  /// Seconds between two deliveries.
  public var minInterval: Double?
  /// Seconds without a delivery after which the newest heading is told again.
  public var maxInterval: Double?

  public init(minChange: Double? = nil, minInterval: Double? = nil, maxInterval: Double? = nil) {
    self.minChange = minChange
    self.minInterval = minInterval
    self.maxInterval = maxInterval
  }

  public static let wire = ObjectCodec<HeadingSubscribeRequest>(blank: HeadingSubscribeRequest()) {
    Field.optional(
      "minChange", \.minChange, .number(.turn), default: 1, example: 5,
      "Degrees around the circle from the last delivered heading.")
    Field.optional(
      "minInterval", \.minInterval, .number(.seconds), default: 0, example: 0.5,
      "Seconds between two deliveries.")
    Field.optional(
      "maxInterval", \.maxInterval, .number(.heartbeat), example: 60,
      "Seconds without a delivery after which the newest heading is told again.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "Where the subscription stands.")
}
