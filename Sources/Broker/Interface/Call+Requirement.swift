import Positioning

/// What a client must be allowed for each call: the one table that every call goes by.
extension Call {
  package enum Requirement: Hashable, Sendable {
    /// Nothing in its answer comes from the position.
    case nothing
    /// The position, with the client's precision.
    case position
    /// The same, and for durable registrations.
    case durable
    /// What no reduced client gets: the sky, headings, visits.
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
    // A client may always list, change and remove what it has; what is suspended delivers nothing.
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
    default: false
    }
  }
}
