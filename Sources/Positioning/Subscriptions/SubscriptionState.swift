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
