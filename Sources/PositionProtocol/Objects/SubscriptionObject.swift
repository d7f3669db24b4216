public import JSONRPC
public import Positioning

/// A subscription as `subscription.list` shows it.
public struct SubscriptionObject: DescribedObject {
  /// Its number on this connection.
  public var subscription: Int
  /// What it delivers.
  public private(set) var kind: Kind
  /// Where it stands.
  public var state: SubscriptionObject.State
  /// Why there is or is not a fresh fix.
  public var availability: Availability
  /// How many updates it has delivered.
  public var updates: Int
  /// What it was asked for, with the defaults and changes since; those that apply to its kind.
  public var parameters: Parameters {
    didSet { self.kind = self.parameters.kind }
  }

  public init(
    subscription: Int, parameters: Parameters, state: SubscriptionObject.State, availability: Availability, updates: Int
  ) {
    self.subscription = subscription
    self.kind = parameters.kind
    self.state = state
    self.availability = availability
    self.updates = updates
    self.parameters = parameters
  }

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "subscription", .integer(minimum: 1), example: 1,
      "Its number on this connection."),
    FieldDescription(
      "kind", .choice(of: Kind.self), example: "position",
      "What it delivers."),
    FieldDescription(
      "state", .choice(of: SubscriptionObject.State.self), example: "waiting",
      "Where it stands."),
    FieldDescription(
      "availability", .choice(of: Availability.self), example: "searching",
      "Why there is or is not a fresh fix."),
    FieldDescription(
      "updates", .integer(minimum: 0), example: 17,
      "How many updates it has delivered."),
    FieldDescription(
      "parameters", .object(Parameters.fields), example: ["minInterval": 5],
      "What it was asked for, with the defaults and changes since; those that apply to its kind."),
  ]

  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case position, sky, heading, status, visits
  }

  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
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
