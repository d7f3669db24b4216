import Positioning

/// The permission that each call requires. The compiler demands a row for every call.
extension Call {
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

  var requirement: Requirement {
    switch self {
    case .getFix, .lastFix, .subscribe(_, durable: nil), .addRegion(_, durable: nil), .regionState: .position
    case .subscribe, .addRegion, .attachDurable: .durable
    case .commandSubscription(_, let command), .commandDurable(_, let command):
      command == .acquire ? .position : .nothing
    case .sky, .subscribeSky, .getHeading, .subscribeHeading, .subscribeVisits(durable: nil): .precise
    case .subscribeVisits: .preciseDurable
    // A client may always list, change and remove what it has; a suspended subscription delivers nothing.
    case .updateSubscription, .cancelSubscription, .listSubscriptions, .removeRegion, .listRegions,
      .acknowledgeDurable, .listDurables, .removeDurable, .completeRequest, .cancelRequest, .listRequests:
      .nothing
    case .status, .subscribeStatus, .authorization, .requestAuthorization, .registerAgent: .nothing
    case .listClients, .listGrants, .grant, .revoke, .setEnabled: .administrator
    }
  }

  /// Whether it may wait for a person's answer.
  var mayWait: Bool {
    switch self {
    case .getFix, .getHeading, .subscribe, .subscribeSky, .subscribeHeading, .subscribeVisits, .requestAuthorization:
      true
    case .lastFix, .updateSubscription, .cancelSubscription, .listSubscriptions, .commandSubscription, .commandDurable,
      .addRegion, .removeRegion, .regionState, .listRegions, .attachDurable, .acknowledgeDurable, .listDurables,
      .removeDurable, .completeRequest, .cancelRequest, .listRequests, .sky, .status, .subscribeStatus, .authorization,
      .registerAgent, .listClients, .listGrants, .grant, .revoke, .setEnabled:
      false
    }
  }
}
