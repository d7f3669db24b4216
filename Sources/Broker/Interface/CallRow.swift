package import Positioning

/// What the broker has to know of a call before it handles it, and what it does besides.
struct CallRow: Hashable, Sendable {
  /// What the call has to do with what is stored.
  enum Store: Hashable, Sendable {
    case untouched
    /// Its answer is about durable names, which are not known before the store is open.
    case readsNames
    /// It also changes them, so it is denied while nothing can be stored.
    case changesNames
    /// Its answer is about the decisions about users, which may be unknown before the store is open.
    case readsDecisions
  }

  /// Whether the call asks something new of the receiver, for which a search that was given up begins again.
  enum Demand: Hashable, Sendable {
    case never
    /// What the cache answers asks nothing of the receiver.
    case unlessAnswered
    case always
  }

  let requirement: Call.Requirement
  let store: Store
  let demand: Demand
  /// Whether it may wait for a person's answer.
  let mayWait: Bool

  init(
    _ requirement: Call.Requirement, store: Store = .untouched, demand: Demand = .never, mayWait: Bool = false
  ) {
    self.requirement = requirement
    self.store = store
    self.demand = demand
    self.mayWait = mayWait
  }

  func isDemand(when answering: Answering) -> Bool {
    switch self.demand {
    case .never: false
    case .unlessAnswered: !answering.isAtOnce
    case .always: true
    }
  }
}

extension Call {
  /// The permission that a call requires.
  package enum Requirement: Hashable, Sendable {
    /// Nothing in its answer comes from the position.
    case nothing
    /// The position, with the client's precision.
    case position
    /// The position, for durable registrations.
    case durable
    /// The sky, headings and visits, which no reduced client gets.
    case precise
    case preciseDurable
    case administrator
  }
}

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

  /// Whether the client lacks the permission.
  var isDenial: Bool {
    switch self {
    case .restricted, .denied, .switchedOff, .notDetermined, .accuracyLimited: true
    case .cancelled, .noSubscription, .wrongKind, .limitExceeded, .noRegion, .noDurable, .notStored, .shuttingDown,
      .noHeading, .invalid:
      false
    }
  }
}
