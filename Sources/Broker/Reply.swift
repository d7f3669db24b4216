/// How a call is answered. Its handler returns one, or throws why the call fails; the dispatcher alone answers.
enum Reply: Sendable {
  case now(Answer)
  /// Once the store has kept what the turn changed.
  case afterCommit(Answer)
  /// With the new subscription, as it is once the receiver has been planned for it.
  case begun(SubscriptionID)
  /// The same with one that was changed.
  case changed(SubscriptionID)
  /// By whatever the call waits for.
  case later
}

extension CallFailure: Error {}
