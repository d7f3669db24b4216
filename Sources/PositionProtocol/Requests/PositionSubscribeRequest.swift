public import JSONRPC
public import Positioning

/// Delivers fixes as they come, until it is cancelled, expires or the connection ends.
public struct PositionSubscribeRequest: RequestType, WireObject, Hashable {
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

  public static let wire = ObjectCodec<PositionSubscribeRequest>(blank: PositionSubscribeRequest()) {
    Field.optional(
      "mode", \.mode, Mode.codec, default: "continuous", example: "passive",
      "How it delivers, and what it needs of the receiver.")
    Field.optional(
      "accuracy", \.accuracy, AccuracyDemand.codec, default: "room", example: "house",
      "What is asked of the receiver: a level, or metres; it withholds no fix.")
    Field.optional(
      "minInterval", \.minInterval, .number(.seconds), default: 1, example: 5,
      "Seconds between two deliveries.")
    Field.optional(
      "minDistance", \.minDistance, .number(.distance), default: 0, example: 25,
      "Metres from the last delivered fix.")
    Field.optional(
      "maxInterval", \.maxInterval, .number(.heartbeat), example: 60,
      "Seconds without a delivery after which the newest fix is told again.")
    Field.optional(
      "onlyBetterThan", \.onlyBetterThan, .number(.meters), example: 50,
      "Metres: fixes of a larger or unknown accuracy are withheld.")
    Field.optional(
      "maxUpdates", \.maxUpdates, .integer(minimum: 1), example: 100,
      "Ends it after so many updates with a fix.")
    Field.optional("duration", \.duration, .number(.heartbeat), example: 3600, "Seconds after which it ends.")
    Field.optional(
      "deferredDistance", \.deferredDistance, .number(.meters), example: 1000,
      "Metres along the path after which a batch is delivered; mode deferred.")
    Field.optional(
      "deferredTimeout", \.deferredTimeout, .number(.heartbeat), example: 600,
      "Seconds after its first fix at which a batch is delivered; mode deferred.")
    Field.optional(
      "significantDistance", \.significantDistance, .number(.meters), default: 500, example: 1000,
      "Metres from the last delivery that make a change significant; mode significant.")
    Field.optional(
      "significantInterval", \.significantInterval, .number(.seconds), default: 300, example: 600,
      "Seconds between two significant changes; mode significant.")
    Field.optional(
      "acquire", \.acquire, AcquisitionObject.codec, example: AcquisitionObject.example,
      "Follows a significant change up with a fix of its own; mode significant.")
    Field.optional(
      "activity", \.activity, Activity.codec, default: "other", example: "automotive",
      "What moves the device.")
    Field.optional(
      "autoPause", \.autoPause, .boolean, default: false, example: true,
      "Whether delivery pauses while the device rests.")
    Field.optional(
      "replay", \.replay, Replay.codec, default: "fresh", example: "any",
      "Which cached fix comes first.")
    Field.optional(
      "durable", \.durable, DurableParameter.codec, example: DurableParameter.example,
      "Makes it outlive the connection; modes significant and deferred.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "Where the subscription stands.")

  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Each fix as it comes; keeps the receiver on.
    case continuous
    /// Far and long enough from what was delivered last; lets the receiver sleep.
    case significant
    /// Each fix that others need; never turns the receiver on.
    case passive
    /// Collects fixes and delivers them together.
    case deferred
  }

  public enum Replay: String, Hashable, Sendable, CaseIterable {
    /// One that is good enough for the level.
    case fresh
    /// Whatever there is.
    case any
    case none
  }
}
