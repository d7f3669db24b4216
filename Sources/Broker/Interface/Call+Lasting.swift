extension Call {
  /// Whether it changes something that outlives its client, and so is denied while nothing can be stored. Attaching
  /// does not: events that it acknowledges are delivered again if the acknowledgement is lost.
  var changesStoredState: Bool {
    switch self {
    case .subscribe(_, let durable), .subscribeVisits(let durable), .addRegion(_, let durable): durable != nil
    case .removeRegion(_, let durable): durable != nil
    case .commandDurable, .acknowledgeDurable, .removeDurable: true
    case .attachDurable, .getFix, .lastFix, .updateSubscription, .cancelSubscription, .listSubscriptions,
      .commandSubscription, .regionState, .listRegions, .listDurables, .completeRequest, .cancelRequest, .listRequests,
      .sky, .subscribeSky, .getHeading, .subscribeHeading, .status, .subscribeStatus, .authorization,
      .requestAuthorization, .registerAgent, .listClients, .listGrants:
      false
    // A revocation counts whether it is stored or not. A grant is checked separately.
    case .grant, .revoke, .setEnabled: false
    }
  }

  /// What of the store an answer can be about.
  enum StoredSubject: Hashable {
    case names
    case decisions
  }

  /// What of the store its answer is about, which is not known before the store is open; `nil`: nothing.
  var storedSubject: StoredSubject? {
    switch self {
    case .attachDurable, .listDurables, .commandDurable, .acknowledgeDurable, .removeDurable: .names
    case .subscribe(_, let durable), .subscribeVisits(let durable), .addRegion(_, let durable):
      durable == nil ? nil : .names
    case .removeRegion(_, let durable), .regionState(_, let durable), .listRegions(let durable, _):
      durable == nil ? nil : .names
    case .listGrants, .revoke: .decisions
    case .getFix, .lastFix, .updateSubscription, .cancelSubscription, .listSubscriptions, .commandSubscription,
      .completeRequest, .cancelRequest, .listRequests, .sky, .subscribeSky, .getHeading, .subscribeHeading, .status,
      .subscribeStatus, .authorization, .requestAuthorization, .registerAgent, .listClients, .grant, .setEnabled:
      nil
    }
  }
}
