public import JSONRPC
public import Positioning

/// A subscription as `subscription.list` shows it.
public struct SubscriptionObject: WireObject, Hashable {
  /// Its number on this connection.
  public var subscription: Int
  /// What it delivers.
  public internal(set) var kind: Kind {
    get { self.parameters.kind }
    set { self.parameters = Parameters(of: newValue) }
  }
  /// Where it stands.
  public var state: SubscriptionObject.State
  /// Why there is or is not a fresh fix.
  public var availability: Availability
  /// How many updates it has delivered.
  public var updates: Int
  /// What it was asked for, with the defaults and changes since; those that apply to its kind.
  public var parameters: Parameters

  public init(
    subscription: Int, parameters: Parameters, state: SubscriptionObject.State, availability: Availability, updates: Int
  ) {
    self.subscription = subscription
    self.state = state
    self.availability = availability
    self.updates = updates
    self.parameters = parameters
  }

  public static let wire = ObjectCodec<SubscriptionObject>(
    "Subscription",
    blank: SubscriptionObject(
      subscription: 0, parameters: .status(StatusSubscribeRequest()), state: .waiting, availability: .unknown,
      updates: 0)
  ) {
    Field.required("subscription", \.subscription, .integer(minimum: 1), example: 1, "Its number on this connection.")
    Field.required("kind", \.kind, Kind.codec, example: "position", "What it delivers.")
    Field.required("state", \.state, State.codec, example: "waiting", "Where it stands.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching", "Why there is or is not a fresh fix.")
    Field.required("updates", \.updates, .integer(minimum: 0), example: 17, "How many updates it has delivered.")
    Field(
      "parameters",
      describe: { _ in
        FieldDescription(
          "parameters", .object(Parameters.fields), example: ["minInterval": 5],
          "What it was asked for, with the defaults and changes since; those that apply to its kind.")
      },
      write: { subscription, key, writer in
        writer.key(key)
        subscription.parameters.write(&writer)
      },
      read: {
        (view: JSONView?, context: ReadingContext, subscription: inout SubscriptionObject) throws(CodingFailure) in
        guard let view else { throw .found("missing", expected: Schema.object([]).expectation) }
        // The kind was read before, and gave the parameters theirs.
        subscription.parameters = try subscription.parameters.read(view, context)
      })
  }

  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case position, sky, heading, status, visits
  }

  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Nothing to deliver yet, and nothing is done for it.
    case waiting
    /// The receiver is on for it, and has no fix yet.
    case acquiring
    case delivering
    /// By the client, or because the device rests.
    case paused
    /// Permission was withdrawn; goes on when it is granted again.
    case suspended
    case ended
  }
}
