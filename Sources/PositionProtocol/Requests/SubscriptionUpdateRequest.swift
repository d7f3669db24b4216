public import JSONRPC
public import Positioning

/// Changes a subscription in place; what is absent stays as it is.
public struct SubscriptionUpdateRequest: RequestType, Hashable {
  public static let method = "subscription.update"
  public static let summary = "Changes a subscription in place; what is absent stays as it is."

  /// Its number.
  public var subscription: Int
  /// Whether it turns the receiver on, or rides on what others need.
  public var mode: PositionSubscribeRequest.Mode?
  /// What is asked of the receiver: a level, or metres; it withholds no fix.
  public var accuracy: AccuracyDemand?
  /// Seconds between two deliveries.
  public var minInterval: Double?
  /// Metres from the last delivered fix.
  public var minDistance: Double?
  /// Seconds without a delivery after which the newest fix is told again.
  public var maxInterval: Double?
  /// Metres: fixes of a larger or unknown accuracy are withheld.
  public var onlyBetterThan: Double?
  /// Ends it after so many updates with a fix.
  public var maxUpdates: Int?
  /// Seconds after which it ends.
  public var duration: Double?
  /// What moves the device.
  public var activity: Activity?

  public init(
    subscription: Int, mode: PositionSubscribeRequest.Mode? = nil, accuracy: AccuracyDemand? = nil,
    minInterval: Double? = nil, minDistance: Double? = nil, maxInterval: Double? = nil, onlyBetterThan: Double? = nil,
    maxUpdates: Int? = nil, duration: Double? = nil, activity: Activity? = nil
  ) {
    self.subscription = subscription
    self.mode = mode
    self.accuracy = accuracy
    self.minInterval = minInterval
    self.minDistance = minDistance
    self.maxInterval = maxInterval
    self.onlyBetterThan = onlyBetterThan
    self.maxUpdates = maxUpdates
    self.duration = duration
    self.activity = activity
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "subscription", .integer(minimum: 1), example: 1,
      "Its number."),
    FieldDescription(
      "mode", .choice(of: PositionSubscribeRequest.Mode.self), .optional, example: "passive",
      "Whether it turns the receiver on, or rides on what others need."),
    FieldDescription(
      "accuracy", .accuracy, .optional, example: "house",
      "What is asked of the receiver: a level, or metres; it withholds no fix."),
    FieldDescription(
      "minInterval", .number(.seconds), .optional, example: 5,
      "Seconds between two deliveries."),
    FieldDescription(
      "minDistance", .number(.distance), .optional, example: 25,
      "Metres from the last delivered fix."),
    FieldDescription(
      "maxInterval", .number(.heartbeat), .optional, example: 60,
      "Seconds without a delivery after which the newest fix is told again."),
    FieldDescription(
      "onlyBetterThan", .number(.meters), .optional, example: 50,
      "Metres: fixes of a larger or unknown accuracy are withheld."),
    FieldDescription(
      "maxUpdates", .integer(minimum: 1), .optional, example: 100,
      "Ends it after so many updates with a fix."),
    FieldDescription(
      "duration", .number(.heartbeat), .optional, example: 3600,
      "Seconds after which it ends."),
    FieldDescription(
      "activity", .choice(of: Activity.self), .optional, example: "automotive",
      "What moves the device."),
  ]

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", .reference(SubscriptionResult.schemaName), "Where the subscription stands.")
}
