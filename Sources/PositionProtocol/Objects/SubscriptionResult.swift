public import JSONRPC
public import Positioning

/// Where a subscription stands: the answer to what creates or changes it.
public struct SubscriptionResult: WireObject, Hashable {
  /// Its number on this connection; absent where it is durable.
  public var subscription: Int?
  /// The durable name that it belongs to.
  public var durable: String?
  /// Where it stands.
  public var state: SubscriptionState
  /// Why there is or is not a fresh fix.
  public var availability: Availability

  private init(state: SubscriptionState, availability: Availability) {
    self.state = state
    self.availability = availability
  }

  public init(subscription: Int, state: SubscriptionState, availability: Availability) {
    self.subscription = subscription
    self.state = state
    self.availability = availability
  }

  public init(durable: String, state: SubscriptionState, availability: Availability) {
    self.durable = durable
    self.state = state
    self.availability = availability
  }

  public static let wire = ObjectCodec<SubscriptionResult>(
    "SubscriptionResult", blank: SubscriptionResult(state: .fallback, availability: .fallback)
  ) {
    UpdateSource.subscription(\.subscription)
    UpdateSource.durable(\.durable)
    Field.required("state", \.state, SubscriptionState.codec, example: "waiting", "Where it stands.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching",
      "Why there is or is not a fresh fix.")
  }
}
