public import JSONRPC
public import Positioning

/// The state of a subscription, as the result of creating or changing it.
public struct SubscriptionResult: WireObject, Hashable {
  /// The subscription's number on this connection; absent for a durable one.
  public var subscription: Int?
  /// The durable name to which it belongs.
  public var durable: String?
  /// Its state.
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
    Field.required("state", \.state, SubscriptionState.codec, example: "waiting", "Its state.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching",
      "Why there is or is not a fresh fix.")
  }
}
