/// A subscription as its client lists it.
public struct SubscriptionInfo: Hashable, Sendable {
  /// What it delivers, and what it was asked for, with the defaults and changes since.
  public enum Kind: Hashable, Sendable {
    case position(SubscriptionParameters)
    case sky(minInterval: Duration)
    case heading(HeadingParameters)
    case status
    case visits
  }

  /// Counts from 1 on each connection.
  public var number: Int
  public var kind: Kind
  /// Where it stands.
  public var state: SubscriptionState
  /// Why there is or is not a fresh fix.
  public var availability: Availability
  /// How many updates it has delivered.
  public var updates: Int

  public init(number: Int, kind: Kind, state: SubscriptionState, availability: Availability, updates: Int) {
    self.number = number
    self.kind = kind
    self.state = state
    self.availability = availability
    self.updates = updates
  }
}
