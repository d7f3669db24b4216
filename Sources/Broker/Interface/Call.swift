package import Positioning

/// What a client asks of the broker. Every call gets exactly one `Answer`, by its deadline.
package enum Call: Hashable, Sendable {
  case getFix(FixRequest)
  case lastFix
  /// Durable ones are of the modes significant and deferred.
  case subscribe(SubscriptionParameters, durable: DurableRequest? = nil)
  case updateSubscription(number: Int, SubscriptionChange)
  case cancelSubscription(number: Int)
  case listSubscriptions
  case steerSubscription(number: Int, SubscriptionCommand)
  case steerDurable(name: String, SubscriptionCommand)
  case subscribeVisits(durable: DurableRequest? = nil)
  /// Adds a region, or replaces the one of its id.
  case addRegion(Region, durable: DurableRequest? = nil)
  /// `durable`: the name that it belongs to; `nil`: to this client.
  case removeRegion(id: String, durable: String? = nil)
  case regionState(id: String, durable: String? = nil)
  /// - Parameter after: the region that the list goes on after; `nil`: from the first.
  case listRegions(durable: String? = nil, after: String? = nil)
  /// Deliver what happened after this event, and what happens from now on, to this client.
  case attachDurable(name: String, sinceEvent: UInt64? = nil)
  /// The events up to this one were taken.
  case acknowledgeDurable(name: String, event: UInt64)
  case listDurables
  case removeDurable(name: String)
  /// Ends a pending call of the same client with the best so far, as its timeout would.
  case completeRequest(CallID)
  /// Ends a pending call of the same client with `CallFailure.cancelled`.
  case cancelRequest(CallID)
  case listRequests
  case sky
  case subscribeSky(minInterval: Duration)
  case getHeading(HeadingRequest)
  case subscribeHeading(HeadingParameters)
  case status
  case subscribeStatus
  case authorization
  case requestAuthorization(AuthorizationRequest)
  /// From now on the client answers prompts.
  case registerAgent
  // For administrators.
  case listClients
  case listGrants
  /// Stores a decision for the user; `nil`: a no.
  case grant(uid: UInt32, user: String, AuthorizationLevel?, Precision)
  /// Removes the stored decision for the user.
  case revoke(uid: UInt32)
  /// The master switch.
  case setEnabled(Bool)
}

