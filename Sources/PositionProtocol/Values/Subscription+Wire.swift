public import JSONRPC
public import Positioning

/// The parameters of a position subscription: one row for each, for all messages that have it.
extension SubscriptionChange: WireObject {
  /// The parameters that an existing subscription can change: null restores the default.
  public static let wire = ObjectCodec<SubscriptionChange>(blank: SubscriptionChange()) { Self.rows.map(\.changing) }

  /// The parameters of a new subscription: null is the same as absent, which means the default.
  static let asked = ObjectCodec<SubscriptionChange>(blank: SubscriptionChange()) {
    Self.rows.map(\.asking)
    Row(
      .replay, \.replay, SubscriptionParameters.Replay.codec, example: "any",
      "Whether a cached fix is delivered first: a fresh one, any, or none."
    ).asking
  }

  private static let rows: [Row] = [
    Row(
      .mode, \.mode, SubscriptionParameters.Mode.codec, example: "passive",
      "Which fixes are delivered: each one (`continuous`), one far from the last (`significant`), "
        + "what others need (`passive`), or many at once (`deferred`)."),
    Row(
      .accuracy, \.accuracy, AccuracyDemand.codec, example: "house",
      "The accuracy requested of the receiver: a level, or metres; it does not filter fixes."),
    Row(
      .minInterval, \.minInterval, .seconds(.seconds), example: 5,
      "The least time between two deliveries, in seconds."),
    Row(
      .minDistance, \.minDistance, .number(.distance), example: 25,
      "The least distance from the last delivered fix, in metres."),
    Row(
      .maxInterval, \.maxInterval, .seconds(.heartbeat), example: 60,
      "Seconds without a delivery after which the newest fix is delivered again."),
    Row(
      .onlyBetterThan, \.onlyBetterThan, .number(.meters), example: 50,
      "Metres: fixes with a larger or unknown accuracy are not delivered."),
    Row(
      .integrity, \.integrity, IntegrityDemand.codec, example: "trusted",
      "Delivers fixes for which evidence speaks (`trusted`), all but untrusted ones (`suspect`), or `any`."),
    Row(
      .maxUpdates, \.maxUpdates, .integer(minimum: 1), example: 100,
      "The number of updates with a fix after which the subscription ends."),
    Row(.duration, \.duration, .seconds(.heartbeat), example: 3600, "Seconds after which it ends."),
    Row(
      .deferredDistance, \.deferredDistance, .number(.meters), example: 1000,
      "Metres along the path after which a batch is delivered."),
    Row(
      .deferredTimeout, \.deferredTimeout, .seconds(.heartbeat), example: 600,
      "Seconds after its first fix at which a batch is delivered."),
    Row(
      .significantDistance, \.significantDistance, .number(.meters), example: 1000,
      "Metres from the last delivery that make a change significant."),
    Row(
      .significantInterval, \.significantInterval, .seconds(.seconds), example: 600,
      "The least time between two significant changes, in seconds."),
    Row(
      .acquire, \.acquire, Acquisition.codec, example: Acquisition.example,
      "Searches for a good fix after each significant change."),
    Row(.activity, \.activity, Activity.codec, example: "automotive", "What moves the device."),
    Row(.autoPause, \.autoPause, .boolean, example: true, "Pauses delivery while the device rests."),
  ]

  /// One parameter: a member of the messages that create a subscription, and one of those that change it.
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
      let write = { @Sendable (change: inout SubscriptionChange, key: [UInt8], writer: inout JSONWriter) in
        if let value = get(change) {
          writer.key(key)
          codec.write(value, &writer)
        } else if change.reset.contains(parameter) {
          writer.key(key)
          writer.null()
        }
      }
      let sentence = parameter.mode.map { "\(sentence.dropLast()); mode \($0.rawValue)." } ?? sentence
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
  /// The parameters that go with a subscription's mode, with the defaults filled in. A client accepts
  /// them without checks.
  static let codec: Codec<SubscriptionParameters> = SubscriptionChange.asked.codec.map(
    to: { (asked: SubscriptionChange) in asked.parameters }, from: { SubscriptionChange(stating: $0) })
}

extension Acquisition: WireObject {
  public static let wire = ObjectCodec<Acquisition>(blank: Acquisition()) {
    Field.defaulted(
      "budget", \.budget, .seconds(.heartbeat), example: 30,
      "Seconds of the search from the receiver's first fix on, at most.")
    Field.defaulted(
      "desiredAccuracy", \.desiredAccuracy, .number(.meters), example: 5,
      "Metres: a fix of this accuracy ends the search at once.")
    Field.optional(
      "acceptableAccuracy", \.acceptableAccuracy, .number(.meters), default: 100, example: 50,
      "Metres within which the best fix is delivered when the budget ends.")
  }
}

extension CodingFailure {
  /// Parameters that do not go together.
  init(_ error: InvalidParameter) { self = .found(error.found, expected: error.expected, at: error.parameter) }
}

extension SubscriptionInfo: WireObject {
  public static let wire = ObjectCodec<SubscriptionInfo>(
    "Subscription",
    blank: SubscriptionInfo(number: 0, kind: .status, state: .fallback, availability: .fallback, updates: 0)
  ) {
    Field.required(
      "subscription", \.number, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
    Field.required("kind", \.kind.word, SubscriptionKind.codec, example: "position", "The kind of updates.")
    Field.required("state", \.state, SubscriptionState.codec, example: "waiting", "Its state.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching", "Why there is or is not a fresh fix.")
    Field.required("updates", \.updates, .integer(minimum: 0), example: 17, "How many updates were delivered.")
    Field(
      "parameters",
      describe: { _ in
        FieldDescription(
          "parameters", .object(Kind.fields),
          example: SubscriptionParameters.codec.json(SubscriptionParameters(minInterval: .seconds(5))),
          "The parameters of its kind, with the defaults filled in and later changes.")
      },
      write: { subscription, key, writer in
        writer.key(key)
        subscription.kind.write(&writer)
      },
      read: {
        (view: JSONView?, context: ReadingContext, subscription: inout SubscriptionInfo) throws(CodingFailure) in
        guard let view else { throw .found("missing", expected: Schema.object([]).expectation) }
        // The kind was read before; its parameters are the defaults until these are read.
        subscription.kind = try subscription.kind.read(view, context)
      })
  }
}

extension SubscriptionInfo.Kind {
  /// The kind without its parameters.
  public var word: SubscriptionKind {
    get {
      switch self {
      case .position: .position
      case .sky: .sky
      case .heading: .heading
      case .status: .status
      case .visits: .visits
      }
    }
    set {
      self =
        switch newValue {
        case .position: .position(SubscriptionParameters())
        case .sky: .sky(minInterval: SkySubscribeRequest.wire.blank.minInterval)
        case .heading: .heading(HeadingParameters())
        case .status: .status
        case .visits: .visits
        }
    }
  }

  fileprivate func write(_ writer: inout JSONWriter) {
    switch self {
    case .position(let parameters): SubscriptionParameters.codec.write(parameters, &writer)
    case .sky(let minInterval, let isPassive):
      SkySubscribeRequest.wire.write(SkySubscribeRequest(minInterval: minInterval, isPassive: isPassive), &writer)
    case .heading(let parameters): HeadingParameters.wire.write(parameters, &writer)
    case .status, .visits:
      writer.openObject()
      writer.closeObject()
    }
  }

  /// Reads the parameters of a subscription of this kind.
  fileprivate func read(_ view: JSONView, _ context: ReadingContext) throws(CodingFailure) -> Self {
    switch self {
    case .position: return .position(try SubscriptionParameters.codec.read(view, context))
    case .sky:
      let request = try SkySubscribeRequest.wire.read(view, context)
      return .sky(minInterval: request.minInterval, isPassive: request.isPassive)
    case .heading: return .heading(try HeadingParameters.wire.read(view, context))
    case .status, .visits:
      guard view.isObject else { throw .found("\(view)", expected: Schema.object([]).expectation) }
      return self
    }
  }

  /// The parameters of all kinds, each name once.
  fileprivate static var fields: [FieldDescription] {
    [SkySubscribeRequest.parameters, HeadingSubscribeRequest.parameters].reduce(PositionSubscribeRequest.parameters) {
      fields, more in fields + more.filter { field in !fields.contains { $0.name == field.name } }
    }
  }
}

/// What a subscription delivers: the member `kind`. A `SubscriptionInfo.Kind` has the parameters with it, which are another
/// member on the wire.
public enum SubscriptionKind: String, Hashable, Sendable, CaseIterable {
  case position, sky, heading, status, visits
}

extension PositionUpdate: WireObject {
  public static let wire = ObjectCodec<PositionUpdate>(
    blank: PositionUpdate(availability: .fallback, state: .fallback)
  ) {
    Field.required("state", \.state, SubscriptionState.codec, example: "waiting", "Its state.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching",
      "Why there is or is not a fresh fix.")
    Field.optional(
      "fix", \.fix, Fix.codec, example: Fix.example,
      "The fix; absent for a batch, or if only availability or state changed.")
    Field.filled("fixes", \.fixes, .array(of: Fix.codec), example: [Fix.example], "A batch, oldest first.")
    Field.optional(
      "achievedAccuracy", \.achievedAccuracy, AccuracyLevel.codec, example: "room",
      "The finest level that the fix reaches.")
    Field.optional(
      "reason", \.reason, DeliveryReason.codec, example: "restored",
      "Why availability or state changed, or why the batch is delivered now.")
    Field.flag("replay", \.isReplay, "True if the fix is older than the subscription; else absent.")
    Field.flag(
      "repeat", \.isRepeat, "True for a heartbeat, which repeats the last value because nothing new came; else absent.")
    Field.count(
      "dropped", \.dropped, example: 2,
      "How many fixes were dropped since the last delivery: the client did not read in time, or the batch was full."
    )
  }
}

extension DeliveryReason {
  static let codec = Codec<DeliveryReason>.openWord { DeliveryReason(rawValue: $0) }
}

extension EndReason {
  static let codec = Codec<EndReason>.openWord { EndReason(rawValue: $0) }
}
