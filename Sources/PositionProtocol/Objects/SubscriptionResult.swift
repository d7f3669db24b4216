public import JSONRPC
public import Positioning

/// Where a subscription stands: the answer to what creates or changes it.
public struct SubscriptionResult: DescribedObject {
  /// Its number on this connection.
  public var subscription: Int
  /// Where it stands.
  public var state: SubscriptionObject.State
  /// Why there is or is not a fresh fix.
  public var availability: Availability

  public init(subscription: Int, state: SubscriptionObject.State, availability: Availability) {
    self.subscription = subscription
    self.state = state
    self.availability = availability
  }

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "subscription", .integer(minimum: 1), example: 1,
      "Its number on this connection."),
    FieldDescription(
      "state", .choice(of: SubscriptionObject.State.self), example: "waiting",
      "Where it stands."),
    FieldDescription(
      "availability", .choice(of: Availability.self), example: "searching",
      "Why there is or is not a fresh fix."),
  ]
}
