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
