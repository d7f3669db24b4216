/// Where a subscription stands.
public enum SubscriptionState: String, Hashable, Sendable, CaseIterable {
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
