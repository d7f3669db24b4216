extension SubscriptionParameters {
  /// With what the change names; the rest as it was.
  func changed(by change: SubscriptionChange) -> SubscriptionParameters {
    var changed = self
    changed.mode = change.mode ?? self.mode
    changed.accuracy = change.accuracy ?? self.accuracy
    changed.minInterval = change.minInterval ?? self.minInterval
    changed.minDistance = change.minDistance ?? self.minDistance
    changed.maxInterval = change.maxInterval ?? self.maxInterval
    changed.onlyBetterThan = change.onlyBetterThan ?? self.onlyBetterThan
    changed.maxUpdates = change.maxUpdates ?? self.maxUpdates
    changed.duration = change.duration ?? self.duration
    changed.deferredDistance = change.deferredDistance ?? self.deferredDistance
    changed.deferredTimeout = change.deferredTimeout ?? self.deferredTimeout
    changed.significantDistance = change.significantDistance ?? self.significantDistance
    changed.significantInterval = change.significantInterval ?? self.significantInterval
    changed.acquire = change.acquire ?? self.acquire
    changed.activity = change.activity ?? self.activity
    changed.autoPause = change.autoPause ?? self.autoPause
    return changed
  }

  /// What does not go together, and what was expected; `nil` where all is well.
  var complaint: CallFailure? {
    if self.mode == .deferred, self.deferredDistance == nil, self.deferredTimeout == nil {
      return .invalid(parameter: "deferredTimeout", expected: "deferredDistance or deferredTimeout with mode deferred")
    }
    if self.acquire != nil, self.mode != .significant {
      return .invalid(parameter: "acquire", expected: "mode significant with it")
    }
    return nil
  }
}
