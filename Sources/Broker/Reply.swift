/// The way in which a call is answered. Its handler returns one, or throws the failure; only the dispatcher answers.
enum Reply: Sendable {
  case now(Answer)
  /// Once the store has committed the turn's changes.
  case afterCommit(Answer)
  /// With the new subscription, in its state after the receiver was planned for it.
  case begun(SubscriptionID)
  /// The same with a changed subscription.
  case changed(SubscriptionID)
  /// By the event for which the call waits.
  case later
}

extension CallFailure: Error {}
