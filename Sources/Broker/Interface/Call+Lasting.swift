extension Call {
  /// Whether it changes what outlives its client, and is refused while nothing more can be kept. Attaching is not: it
  /// promises nothing, and the events that it acknowledges come again if that is lost.
  var changesWhatLasts: Bool {
    switch self {
    case .subscribe(_, let durable), .subscribeVisits(let durable), .addRegion(_, let durable): durable != nil
    case .removeRegion(_, let durable): durable != nil
    case .steerDurable, .acknowledgeDurable, .removeDurable: true
    case .attachDurable, .getFix, .lastFix, .updateSubscription, .cancelSubscription, .listSubscriptions,
      .steerSubscription, .regionState, .listRegions, .listDurables, .completeRequest, .cancelRequest, .listRequests,
      .sky, .subscribeSky, .getHeading, .subscribeHeading, .status, .subscribeStatus, .authorization,
      .requestAuthorization, .registerAgent, .listClients, .listGrants:
      false
    // What is taken away counts whether it is kept or not; what is given is looked at where that is known.
    case .grant, .revoke, .setEnabled: false
    }
  }
}
