public import JSONRPC
public import Positioning

/// Where a subscription stands: the answer to what creates or changes it.
public struct SubscriptionResult: DescribedObject {
  /// Its number on this connection; absent where it is durable.
  public var subscription: Int?
  /// The durable name that it belongs to.
  public var durable: String?
  /// Where it stands.
  public var state: SubscriptionObject.State
  /// Why there is or is not a fresh fix.
  public var availability: Availability

  public init(subscription: Int, state: SubscriptionObject.State, availability: Availability) {
    self.subscription = subscription
    self.state = state
    self.availability = availability
  }

  public init(durable: String, state: SubscriptionObject.State, availability: Availability) {
    self.durable = durable
    self.state = state
    self.availability = availability
  }

  public static let fields: [FieldDescription] = [
    UpdateSource.subscription, UpdateSource.durable,
    FieldDescription(
      "state", .choice(of: SubscriptionObject.State.self), example: "waiting",
      "Where it stands."),
    FieldDescription(
      "availability", .choice(of: Availability.self), example: "searching",
      "Why there is or is not a fresh fix."),
  ]
}
