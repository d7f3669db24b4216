package import Positioning

/// Why a call failed.
package enum CallFailure: Hashable, Sendable {
  case cancelled
  /// The client has no such subscription.
  case noSubscription(number: Int)
  /// The client's subscription with this number is of another kind, but the call is for positions.
  case wrongKind(number: Int, SubscriptionInfo.Kind)
  case limitExceeded(name: String, value: Int)
  /// The client or user has no such region or durable name.
  case noRegion(id: String)
  case noDurable(name: String)
  /// A rule denies it, or none allows it; `remedy` says who can change that, and how.
  case restricted(what: String, rule: String? = nil, remedy: String)
  /// A person answered no, or allowed less; with the time.
  case denied(what: String, at: Instant?, remedy: String)
  /// The master switch is off.
  case switchedOff(remedy: String)
  /// No rule and no person decides, and nobody can be asked, or nobody answered.
  case notDetermined(remedy: String)
  /// More precision is requested than is granted.
  case accuracyLimited(what: String, remedy: String)
  /// The store has an error; nothing was registered.
  case notStored(String)
  /// The daemon is stopping.
  case shuttingDown
  /// The receiver has no heading sensor and reports no course.
  case noHeading
  /// The parameter cannot be used with the subscription; with its path and the accepted values.
  case invalid(parameter: String, expected: String)
}

extension CallFailure {
  init(_ error: InvalidParameter) { self = .invalid(parameter: error.parameter, expected: error.expected) }
}
