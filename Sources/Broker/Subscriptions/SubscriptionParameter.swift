/// A parameter of a position subscription that can be changed, by its name on the wire.
package enum SubscriptionParameter: String, Hashable, Sendable, CaseIterable {
  case mode, accuracy, minInterval, minDistance, maxInterval, onlyBetterThan, maxUpdates, duration
  case deferredDistance, deferredTimeout
  case significantDistance, significantInterval, acquire
  case activity, autoPause

  /// The one mode that it goes with; `nil`: any.
  var mode: SubscriptionParameters.Mode? {
    switch self {
    case .deferredDistance, .deferredTimeout: .deferred
    case .significantDistance, .significantInterval, .acquire: .significant
    case .mode, .accuracy, .minInterval, .minDistance, .maxInterval, .onlyBetterThan, .maxUpdates, .duration, .activity,
      .autoPause:
      nil
    }
  }
}

/// A parameter that cannot be as it is, or not beside the others.
package struct InvalidParameter: Error, Hashable {
  /// By its name on the wire.
  package var parameter: String
  /// What it is, in words.
  package var found: String
  package var expected: String

  package init(parameter: String, found: String, expected: String) {
    self.parameter = parameter
    self.found = found
    self.expected = expected
  }
}
