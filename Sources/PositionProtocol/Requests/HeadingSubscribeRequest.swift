public import JSONRPC

/// Delivers headings as they change, and turns the receiver on.
public struct HeadingSubscribeRequest: RequestType, Hashable {
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

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "minChange", .number(.turn), .defaulted(1), example: 5,
      "Degrees around the circle from the last delivered heading."),
    FieldDescription(
      "minInterval", .number(.seconds), .defaulted(0), example: 0.5,
      "Seconds between two deliveries."),
    FieldDescription(
      "maxInterval", .number(.heartbeat), .optional, example: 60,
      "Seconds without a delivery after which the newest heading is told again."),
  ]

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", .reference(SubscriptionResult.schemaName), "Where the subscription stands.")
}
