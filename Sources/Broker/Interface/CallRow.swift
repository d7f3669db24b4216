/// What the broker has to know of a call before it handles it, and what it does besides.
struct CallRow: Hashable, Sendable {
  /// What the call has to do with what is stored.
  enum Store: Hashable, Sendable {
    case untouched
    /// Its answer is about durable names, which are not known before the store is open.
    case readsNames
    /// It also changes them, so it is denied while nothing can be stored.
    case changesNames
    /// The same as `readsNames` for the decisions about users.
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
    /// The same, and for durable registrations.
    case durable
    /// The sky, headings and visits, which no reduced client gets.
    case precise
    case preciseDurable
    case administrator
  }
}
