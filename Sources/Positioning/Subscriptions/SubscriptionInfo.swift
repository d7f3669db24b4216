/// A subscription, as `subscription.list` shows it.
public struct SubscriptionInfo: Hashable, Sendable {
  /// The kind of updates, with its parameters: defaults filled in, changed ones as they are now.
  public enum Kind: Hashable, Sendable {
    case position(SubscriptionParameters)
    case sky(minInterval: Duration, isPassive: Bool = false)
    case heading(HeadingParameters)
    case status
    case visits
  }

  /// The subscription's number on this connection, from 1.
  public var number: Int
  public var kind: Kind
  /// Its state.
  public var state: SubscriptionState
  /// Why there is or is not a fresh fix.
  public var availability: Availability
  /// How many updates were delivered.
  public var updates: Int

  public init(number: Int, kind: Kind, state: SubscriptionState, availability: Availability, updates: Int) {
    self.number = number
    self.kind = kind
    self.state = state
    self.availability = availability
    self.updates = updates
  }
}
