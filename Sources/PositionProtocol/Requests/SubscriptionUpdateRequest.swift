public import JSONRPC
public import Positioning

/// Changes a subscription in place; what is absent stays as it is, and what is null goes back to its default.
public struct SubscriptionUpdateRequest: RequestType, WireObject, Hashable {
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

  public static let wire = ObjectCodec<SubscriptionUpdateRequest>(blank: SubscriptionUpdateRequest(subscription: 0)) {
    Field.required("subscription", \.subscription, .integer(minimum: 1), example: 1, "Its number.")
    change(
      .mode, \.mode, PositionSubscribeRequest.Mode.codec, example: "passive",
      "How it delivers, and what it needs of the receiver.")
    change(
      .accuracy, \.accuracy, AccuracyDemand.codec, example: "house",
      "What is asked of the receiver: a level, or metres; it withholds no fix.")
    change(
      .minInterval, \.minInterval, .number(.seconds), example: 5,
      "Seconds between two deliveries.")
    change(
      .minDistance, \.minDistance, .number(.distance), example: 25,
      "Metres from the last delivered fix.")
    change(
      .maxInterval, \.maxInterval, .number(.heartbeat), example: 60,
      "Seconds without a delivery after which the newest fix is told again.")
    change(
      .onlyBetterThan, \.onlyBetterThan, .number(.meters), example: 50,
      "Metres: fixes of a larger or unknown accuracy are withheld.")
    change(
      .maxUpdates, \.maxUpdates, .integer(minimum: 1), example: 100,
      "Ends it after so many updates with a fix.")
    change(
      .duration, \.duration, .number(.heartbeat), example: 3600,
      "Seconds after which it ends.")
    change(
      .deferredDistance, \.deferredDistance, .number(.meters), example: 1000,
      "Metres along the path after which a batch is delivered; mode deferred.")
    change(
      .deferredTimeout, \.deferredTimeout, .number(.heartbeat), example: 600,
      "Seconds after its first fix at which a batch is delivered; mode deferred.")
    change(
      .significantDistance, \.significantDistance, .number(.meters), example: 1000,
      "Metres from the last delivery that make a change significant; mode significant.")
    change(
      .significantInterval, \.significantInterval, .number(.seconds), example: 600,
      "Seconds between two significant changes; mode significant.")
    change(
      .acquire, \.acquire, AcquisitionObject.codec, example: AcquisitionObject.example,
      "Follows a significant change up with a fix of its own; mode significant.")
    change(
      .activity, \.activity, Activity.codec, example: "automotive",
      "What moves the device.")
    change(
      .autoPause, \.autoPause, .boolean, example: true,
      "Whether delivery pauses while the device rests.")
  }

  /// A parameter that null takes back to its default, which no optional tells from absence.
  private static func change<Value: Sendable>(
    _ parameter: Parameter, _ path: FieldPath<Self, Value?>, _ codec: Codec<Value>,
    example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
  ) -> Field<Self> {
    let member = Field<Self>.optional(parameter.rawValue, path, codec, example: example(), sentence)
    return Field(
      parameter.rawValue, describe: member.describe,
      write: { request, key, writer in
        guard request.cleared.contains(parameter) else { return member.write(request, key, &writer) }
        writer.key(key)
        writer.null()
      },
      read: { (view: JSONView?, context: ReadingContext, request: inout Self) throws(CodingFailure) in
        if view?.isNull ?? false {
          request.cleared.insert(parameter)
        } else if let view {
          request[keyPath: path] = try codec.readIfKnown(view, context)
        }
      })
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "Where the subscription stands.")
}
