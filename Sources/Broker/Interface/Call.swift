package import Positioning

/// A client's request to the broker. Each call gets exactly one `Answer`, by its deadline.
package enum Call: Hashable, Sendable {
  case getFix(FixRequest)
  case lastFix
  /// Durable ones have the mode significant or deferred.
  case subscribe(SubscriptionParameters, durable: DurableRequest? = nil)
  case updateSubscription(number: Int, SubscriptionChange)
  case cancelSubscription(number: Int)
  case listSubscriptions
  case commandSubscription(number: Int, SubscriptionCommand)
  case commandDurable(name: String, SubscriptionCommand)
  case subscribeVisits(durable: DurableRequest? = nil)
  /// Adds a region, or replaces the one with its id.
  case addRegion(Region, durable: DurableRequest? = nil)
  /// `durable`: the name to which it belongs; `nil`: this client.
  case removeRegion(id: String, durable: String? = nil)
  case regionState(id: String, durable: String? = nil)
  /// - Parameter after: The region after which the list continues; `nil`: from the first.
  case listRegions(durable: String? = nil, after: String? = nil)
  /// Deliver the events after this one, and new ones, to this client.
  case attachDurable(name: String, sinceEvent: UInt64? = nil)
  /// Acknowledges the events up to this one.
  case acknowledgeDurable(name: String, event: UInt64)
  case listDurables
  case removeDurable(name: String)
  /// Ends a waiting call of the same client with the best fix so far, as its timeout would.
  case completeRequest(CallID)
  /// Ends a waiting call of the same client with `CallFailure.cancelled`.
  case cancelRequest(CallID)
  case listRequests
  case sky
  case subscribeSky(minInterval: Duration, isPassive: Bool = false)
  case getHeading(HeadingRequest)
  case subscribeHeading(HeadingParameters)
  case status
  case subscribeStatus
  case authorization
  case requestAuthorization(AuthorizationRequest)
  /// Makes the client an agent.
  case registerAgent
  // MARK: For administrators
  case listClients
  case listGrants
  /// Stores a decision for the user; `nil`: a denial.
  case grant(uid: UInt32, user: String, AuthorizationLevel?, Precision)
  /// Removes the stored decision for the user.
  case revoke(uid: UInt32)
  /// The master switch.
  case setEnabled(Bool)
}
