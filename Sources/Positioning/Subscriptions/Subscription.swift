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

  /// The subscription's number on this connection.
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

/// The state of a subscription.
public enum SubscriptionState: String, Hashable, Sendable, CaseIterable {
  /// There is nothing to deliver yet, and the receiver is not on for it.
  case waiting
  /// The receiver is on for it and has no fix yet.
  case acquiring
  case delivering
  /// Paused by the client, or because the device rests.
  case paused
  /// Permission was taken away; continues when it is granted again.
  case suspended
  case ended
}

/// A command for an existing position subscription.
public enum SubscriptionCommand: String, Hashable, Sendable, CaseIterable {
  /// Stop its deliveries and its need of the receiver.
  case pause
  /// Resume, whatever paused it.
  case resume
  /// Search for a fix now, in any mode.
  case acquire
  /// Deliver the collected fixes now.
  case flush
}

/// Why a subscription ended. Later versions may know more.
public struct EndReason: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The client cancelled it, or removed the durable name.
  public static let cancelled = Self(rawValue: "cancelled")
  /// Its `duration` or `maxUpdates` is reached.
  public static let expired = Self(rawValue: "expired")
  /// This device cannot deliver it.
  public static let unavailable = Self(rawValue: "unavailable")
  /// Another client attached to the durable name.
  public static let replaced = Self(rawValue: "replaced")
}
