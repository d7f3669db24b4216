public import JSONRPC
public import Positioning

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
