/// How a call is answered. Its handler returns one, or throws the failure; only the dispatcher answers.
enum Reply: Sendable {
  case now(Answer)
  /// Once the store has committed the turn's changes.
  case afterCommit(Answer)
  /// With the new subscription, as it is once the receiver is planned for it.
  case begun(SubscriptionID)
  /// The same with a changed subscription.
  case changed(SubscriptionID)
  /// By what the call waits for.
  case later
}

extension CallFailure: Error {}
