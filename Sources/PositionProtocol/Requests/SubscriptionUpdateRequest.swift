public import JSONRPC
public import Positioning

/// Changes a subscription in place; what is absent stays as it is, and what is null goes back to its default.
public struct SubscriptionUpdateRequest: RequestType, Hashable {
  public static let method = "subscription.update"
  public static let summary =
    "Changes a subscription in place; what is absent stays as it is, what is null goes back to its default."

  /// Its number.
  public var subscription: Int
  /// How it delivers, and what it needs of the receiver.
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
  /// Metres along the path after which a batch is delivered; mode deferred.
  public var deferredDistance: Double?
  /// Seconds after its first fix at which a batch is delivered; mode deferred.
  public var deferredTimeout: Double?
  /// Metres from the last delivery that make a change significant; mode significant.
  public var significantDistance: Double?
  /// Seconds between two significant changes; mode significant.
  public var significantInterval: Double?
  /// Follows a significant change up with a fix of its own; mode significant.
  public var acquire: AcquisitionObject?
  /// What moves the device.
  public var activity: Activity?
  /// Whether delivery pauses while the device rests.
  public var autoPause: Bool?
  /// What goes back to its default: null on the wire.
  public var cleared: Set<Parameter> = []

  /// What can be changed.
  public enum Parameter: String, Hashable, Sendable, CaseIterable {
    case mode, accuracy, minInterval, minDistance, maxInterval, onlyBetterThan, maxUpdates, duration, deferredDistance
    case deferredTimeout, significantDistance, significantInterval, acquire, activity, autoPause
  }

  public init(
    subscription: Int, mode: PositionSubscribeRequest.Mode? = nil, accuracy: AccuracyDemand? = nil,
    minInterval: Double? = nil, minDistance: Double? = nil, maxInterval: Double? = nil, onlyBetterThan: Double? = nil,
    maxUpdates: Int? = nil, duration: Double? = nil, deferredDistance: Double? = nil, deferredTimeout: Double? = nil,
    significantDistance: Double? = nil, significantInterval: Double? = nil, acquire: AcquisitionObject? = nil,
    activity: Activity? = nil, autoPause: Bool? = nil, cleared: Set<Parameter> = []
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
    self.deferredDistance = deferredDistance
    self.deferredTimeout = deferredTimeout
    self.significantDistance = significantDistance
    self.significantInterval = significantInterval
    self.acquire = acquire
    self.activity = activity
    self.autoPause = autoPause
    self.cleared = cleared
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "subscription", .integer(minimum: 1), example: 1,
      "Its number."),
    FieldDescription(
      "mode", .choice(of: PositionSubscribeRequest.Mode.self), .optional, example: "passive",
      "How it delivers, and what it needs of the receiver."),
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
      "deferredDistance", .number(.meters), .optional, example: 1000,
      "Metres along the path after which a batch is delivered; mode deferred."),
    FieldDescription(
      "deferredTimeout", .number(.heartbeat), .optional, example: 600,
      "Seconds after its first fix at which a batch is delivered; mode deferred."),
    FieldDescription(
      "significantDistance", .number(.meters), .optional, example: 1000,
      "Metres from the last delivery that make a change significant; mode significant."),
    FieldDescription(
      "significantInterval", .number(.seconds), .optional, example: 600,
      "Seconds between two significant changes; mode significant."),
    FieldDescription(
      "acquire", .object(AcquisitionObject.fields), .optional, example: DescribedExample.of(AcquisitionObject.self),
      "Follows a significant change up with a fix of its own; mode significant."),
    FieldDescription(
      "activity", .choice(of: Activity.self), .optional, example: "automotive",
      "What moves the device."),
    FieldDescription(
      "autoPause", .boolean, .optional, example: true,
      "Whether delivery pauses while the device rests."),
  ]

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", .reference(SubscriptionResult.schemaName), "Where the subscription stands.")
}
