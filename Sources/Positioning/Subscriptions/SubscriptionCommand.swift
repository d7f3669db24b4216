/// What a client can have a position subscription do that stands.
public enum SubscriptionCommand: String, Hashable, Sendable, CaseIterable {
  /// Stop what it delivers, and what it needs.
  case pause
  /// Go on, whatever paused it.
  case resume
  /// Get a fix now, whatever the mode.
  case acquire
  /// Deliver the batch that is being collected.
  case flush
}
