public import JSONRPC
public import Positioning

/// Delivers fixes as they come, until it is cancelled, expires or the connection ends.
public struct PositionSubscribeRequest: RequestType, Hashable {
  public static let method = "position.subscribe"
  public static let summary = "Delivers fixes as they come, until it is cancelled, expires or the connection ends."
  public static let isAllowedInBatch = false

  /// How it delivers, and what it needs of the receiver.
  public var mode: Mode?
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
  /// Which cached fix comes first.
  public var replay: Replay?
  /// Makes it outlive the connection; modes significant and deferred.
  public var durable: DurableParameter?

  public init(
    mode: Mode? = nil, accuracy: AccuracyDemand? = nil, minInterval: Double? = nil, minDistance: Double? = nil,
    maxInterval: Double? = nil, onlyBetterThan: Double? = nil, maxUpdates: Int? = nil, duration: Double? = nil,
    deferredDistance: Double? = nil, deferredTimeout: Double? = nil, significantDistance: Double? = nil,
    significantInterval: Double? = nil, acquire: AcquisitionObject? = nil, activity: Activity? = nil,
    autoPause: Bool? = nil, replay: Replay? = nil, durable: DurableParameter? = nil
  ) {
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
    self.replay = replay
    self.durable = durable
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "mode", .choice(of: Mode.self), .defaulted("continuous"), example: "passive",
      "How it delivers, and what it needs of the receiver."),
    FieldDescription(
      "accuracy", .accuracy, .defaulted("room"), example: "house",
      "What is asked of the receiver: a level, or metres; it withholds no fix."),
    FieldDescription(
      "minInterval", .number(.seconds), .defaulted(1), example: 5,
      "Seconds between two deliveries."),
    FieldDescription(
      "minDistance", .number(.distance), .defaulted(0), example: 25,
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
      "significantDistance", .number(.meters), .defaulted(500), example: 1000,
      "Metres from the last delivery that make a change significant; mode significant."),
    FieldDescription(
      "significantInterval", .number(.seconds), .defaulted(300), example: 600,
      "Seconds between two significant changes; mode significant."),
    FieldDescription(
      "acquire", .object(AcquisitionObject.fields), .optional, example: DescribedExample.of(AcquisitionObject.self),
      "Follows a significant change up with a fix of its own; mode significant."),
    FieldDescription(
      "activity", .choice(of: Activity.self), .defaulted("other"), example: "automotive",
      "What moves the device."),
    FieldDescription(
      "autoPause", .boolean, .defaulted(false), example: true,
      "Whether delivery pauses while the device rests."),
    FieldDescription(
      "replay", .choice(of: Replay.self), .defaulted("fresh"), example: "any",
      "Which cached fix comes first."),
    FieldDescription(
      "durable", .object(DurableParameter.fields), .optional, example: DescribedExample.of(DurableParameter.self),
      "Makes it outlive the connection; modes significant and deferred."),
  ]

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", .reference(SubscriptionResult.schemaName), "Where the subscription stands.")

  public enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Each fix as it comes; keeps the receiver on.
    case continuous
    /// Far and long enough from what was delivered last; lets the receiver sleep.
    case significant
    /// Each fix that others need; never turns the receiver on.
    case passive
    /// Collects fixes and delivers them together.
    case deferred
  }

  public enum Replay: String, Codable, Hashable, Sendable, CaseIterable {
    /// One that is good enough for the level.
    case fresh
    /// Whatever there is.
    case any
    case none
  }
}
