extension Call {
  /// Whether it asks something new of the receiver, for which a search that was given up begins again. What the cache
  /// answers does not.
  func isDemand(answeredBy reply: Reply) -> Bool {
    switch self {
    case .addRegion: true
    case .getFix, .getHeading, .subscribe, .updateSubscription, .commandSubscription, .commandDurable, .subscribeVisits,
      .subscribeSky, .subscribeHeading:
      if case .now = reply { false } else { true }
    case .lastFix, .cancelSubscription, .listSubscriptions, .removeRegion, .regionState, .listRegions, .attachDurable,
      .acknowledgeDurable, .listDurables, .removeDurable, .completeRequest, .cancelRequest, .listRequests, .sky,
      .status,
      .subscribeStatus, .authorization, .requestAuthorization, .registerAgent, .listClients, .listGrants, .grant,
      .revoke, .setEnabled:
      false
    }
  }
}
