public import JSONRPC
public import Positioning

/// Delivers fixes as they come, until it is cancelled, expires or the connection ends.
public struct PositionSubscribeRequest: RequestType, Hashable {
  public static let method = "position.subscribe"
  public static let summary = "Delivers fixes as they come, until it is cancelled, expires or the connection ends."
  public static let isAllowedInBatch = false

  /// Whether it turns the receiver on, or rides on what others need.
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
  /// What moves the device.
  public var activity: Activity?
  /// Which cached fix comes first.
  public var replay: Replay?

  public init(
    mode: Mode? = nil, accuracy: AccuracyDemand? = nil, minInterval: Double? = nil, minDistance: Double? = nil,
    maxInterval: Double? = nil, onlyBetterThan: Double? = nil, maxUpdates: Int? = nil, duration: Double? = nil,
    activity: Activity? = nil, replay: Replay? = nil
  ) {
    self.mode = mode
    self.accuracy = accuracy
    self.minInterval = minInterval
    self.minDistance = minDistance
    self.maxInterval = maxInterval
    self.onlyBetterThan = onlyBetterThan
    self.maxUpdates = maxUpdates
    self.duration = duration
    self.activity = activity
    self.replay = replay
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "mode", .choice(of: Mode.self), .defaulted("continuous"), example: "passive",
      "Whether it turns the receiver on, or rides on what others need."),
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
      "activity", .choice(of: Activity.self), .defaulted("other"), example: "automotive",
      "What moves the device."),
    FieldDescription(
      "replay", .choice(of: Replay.self), .defaulted("fresh"), example: "any",
      "Which cached fix comes first."),
  ]

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", .reference(SubscriptionResult.schemaName), "Where the subscription stands.")

  public enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Turns the receiver on.
    case continuous
    /// Rides on what others need.
    case passive
  }

  public enum Replay: String, Codable, Hashable, Sendable, CaseIterable {
    /// One that is good enough for the level.
    case fresh
    /// Whatever there is.
    case any
    case none
  }
}
