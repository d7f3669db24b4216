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
}
