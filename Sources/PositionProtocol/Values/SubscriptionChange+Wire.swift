public import JSONRPC
public import Positioning

/// The parameters of a position subscription: one row for each, whichever message has it.
extension SubscriptionChange: WireObject {
  /// What a standing subscription can change: null takes a parameter back to its default.
  public static let wire = ObjectCodec<SubscriptionChange>(blank: SubscriptionChange()) { Self.rows.map(\.changing) }

  /// What a subscription is asked for: null is the same as absent, which means the default.
  static let asked = ObjectCodec<SubscriptionChange>(blank: SubscriptionChange()) {
    Self.rows.map(\.asking)
    Row(
      .replay, \.replay, SubscriptionParameters.Replay.codec, example: "any", "Which cached fix comes first."
    ).asking
  }

  private static let rows: [Row] = [
    Row(
      .mode, \.mode, SubscriptionParameters.Mode.codec, example: "passive",
      "How it delivers, and what it needs of the receiver."),
    Row(
      .accuracy, \.accuracy, AccuracyDemand.codec, example: "house",
      "What is asked of the receiver: a level, or metres; it withholds no fix."),
    Row(.minInterval, \.minInterval, .seconds(.seconds), example: 5, "Seconds between two deliveries."),
    Row(.minDistance, \.minDistance, .number(.distance), example: 25, "Metres from the last delivered fix."),
    Row(
      .maxInterval, \.maxInterval, .seconds(.heartbeat), example: 60,
      "Seconds without a delivery after which the newest fix is told again."),
    Row(
      .onlyBetterThan, \.onlyBetterThan, .number(.meters), example: 50,
      "Metres: fixes of a larger or unknown accuracy are withheld."),
    Row(
      .maxUpdates, \.maxUpdates, .integer(minimum: 1), example: 100, "Ends it after so many updates with a fix."),
    Row(.duration, \.duration, .seconds(.heartbeat), example: 3600, "Seconds after which it ends."),
    Row(
      .deferredDistance, \.deferredDistance, .number(.meters), example: 1000,
      "Metres along the path after which a batch is delivered; mode deferred."),
    Row(
      .deferredTimeout, \.deferredTimeout, .seconds(.heartbeat), example: 600,
      "Seconds after its first fix at which a batch is delivered; mode deferred."),
    Row(
      .significantDistance, \.significantDistance, .number(.meters), example: 1000,
      "Metres from the last delivery that make a change significant; mode significant."),
    Row(
      .significantInterval, \.significantInterval, .seconds(.seconds), example: 600,
      "Seconds between two significant changes; mode significant."),
    Row(
      .acquire, \.acquire, Acquisition.codec, example: Acquisition.example,
      "Follows a significant change up with a fix of its own; mode significant."),
    Row(.activity, \.activity, Activity.codec, example: "automotive", "What moves the device."),
    Row(.autoPause, \.autoPause, .boolean, example: true, "Whether delivery pauses while the device rests."),
  ]

  /// One parameter, and the two members that it becomes.
  private struct Row {
    let asking: Field<SubscriptionChange>
    let changing: Field<SubscriptionChange>

    init<Value: Sendable>(
      _ parameter: SubscriptionParameter, _ path: FieldPath<SubscriptionParameters, Value>, _ codec: Codec<Value>,
      example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
    ) {
      let usual = { @Sendable in
        FieldDescription.Presence.defaulted(codec.json(SubscriptionParameters()[keyPath: path]))
      }
      self.init(
        parameter, codec, default: usual, example: example(), sentence, get: { $0[dynamicMember: path] },
        set: { $0[dynamicMember: path] = $1 })
    }

    init<Value: Sendable>(
      _ parameter: SubscriptionParameter, _ path: FieldPath<SubscriptionParameters, Value?>, _ codec: Codec<Value>,
      example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String
    ) {
      self.init(
        parameter, codec, default: { .optional }, example: example(), sentence,
        get: { $0[dynamicMember: path] }, set: { $0[dynamicMember: path] = $1 })
    }

    private init<Value: Sendable>(
      _ parameter: SubscriptionParameter, _ codec: Codec<Value>,
      default presence: @escaping @Sendable () -> FieldDescription.Presence,
      example: @escaping @autoclosure @Sendable () -> JSONValue, _ sentence: String,
      get: @escaping @Sendable (SubscriptionChange) -> Value?,
      set: @escaping @Sendable (inout SubscriptionChange, Value) -> Void
    ) {
      let write = { @Sendable (change: SubscriptionChange, key: [UInt8], writer: inout JSONWriter) in
        if let value = get(change) {
          writer.key(key)
          codec.write(value, &writer)
        } else if change.reset.contains(parameter) {
          writer.key(key)
          writer.null()
        }
      }
      let describe = { @Sendable (presence: FieldDescription.Presence) in
        FieldDescription(parameter.name, codec.schema(), presence, example: example(), sentence)
      }
      self.asking = Field(
        parameter.name, describe: { _ in describe(presence()) }, write: write,
        read: { (view: JSONView?, context: ReadingContext, change: inout SubscriptionChange) throws(CodingFailure) in
          guard let view, !view.isNull, let value = try codec.readIfKnown(view, context) else { return }
          set(&change, value)
        })
      self.changing = Field(
        parameter.name, describe: { _ in describe(.optional) }, write: write,
        read: { (view: JSONView?, context: ReadingContext, change: inout SubscriptionChange) throws(CodingFailure) in
          guard let view else { return }
          if view.isNull {
            change.reset.insert(parameter)
          } else if let value = try codec.readIfKnown(view, context) {
            set(&change, value)
          }
        })
    }
  }
}

extension SubscriptionParameters {
  /// What a subscription was asked for, with the defaults filled in: the parameters that go with its mode. A client takes
  /// them as they are.
  static let codec: Codec<SubscriptionParameters> = SubscriptionChange.asked.codec.map(
    to: { (asked: SubscriptionChange) in asked.parameters }, from: { SubscriptionChange(stating: $0) })
}

extension Acquisition: WireObject {
  public static let wire = ObjectCodec<Acquisition>(blank: Acquisition()) {
    Field.defaulted(
      "budget", \.budget, .seconds(.heartbeat), example: 30,
      "Seconds that it may take, from the receiver's first fix on.")
    Field.defaulted(
      "desiredAccuracy", \.desiredAccuracy, .number(.meters), example: 5,
      "Metres: a fix of this accuracy ends it at once.")
    Field.optional(
      "acceptableAccuracy", \.acceptableAccuracy, .number(.meters), default: 100, example: 50,
      "Metres: the best fix is taken at the end of the budget if it is this accurate.")
  }
}

extension CodingFailure {
  /// What does not go together.
  init(_ error: InvalidParameter) { self = .found(error.found, expected: error.expected, at: error.parameter) }
}
