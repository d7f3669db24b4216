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
  case steerSubscription(number: Int, SubscriptionOrder)
  case steerDurable(name: String, SubscriptionOrder)
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

/// A one-shot request for a fix.
package struct FixRequest: Hashable, Sendable {
  /// What the client would like; `nil`: what any fix of a working receiver meets, as precisely as the client may know it.
  package var accuracy: AccuracyDemand?
  /// What it would accept at the timeout; `nil`: the same.
  package var acceptableAccuracy: AccuracyDemand?
  /// How old the fix may be; `nil`: as old as the demand's level allows.
  package var maximumAge: Duration?
  /// How long it waits; zero: until the daemon's own limit.
  package var timeout: Duration
  package var activity: Activity
  /// Whether the timeout begins when the client's permission is decided.
  package var delaysUntilAuthorized: Bool

  package init(
    accuracy: AccuracyDemand? = nil, acceptableAccuracy: AccuracyDemand? = nil, maximumAge: Duration? = nil,
    timeout: Duration = .seconds(30), activity: Activity = .other, delaysUntilAuthorized: Bool = false
  ) {
    self.accuracy = accuracy
    self.acceptableAccuracy = acceptableAccuracy
    self.maximumAge = maximumAge
    self.timeout = timeout
    self.activity = activity
    self.delaysUntilAuthorized = delaysUntilAuthorized
  }

  /// What is meant by it for a client that may know so much.
  package func demand(_ precision: Precision) -> AccuracyDemand {
    self.accuracy ?? .level(precision == .reduced ? .city : .block)
  }
}

/// How a subscription is steered.
package enum SubscriptionOrder: String, Hashable, Sendable, CaseIterable {
  case pause, resume
  /// Get a fix now, whatever the mode.
  case acquire
  /// Deliver the batch that is being collected.
  case flush
}

/// What a position subscription asks for.
package struct SubscriptionParameters: Hashable, Sendable {
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Turns the receiver on.
    case continuous
    /// Far and long enough from what it delivered last; costs little, as its modes go.
    case significant
    /// Rides on what others need.
    case passive
    /// Collects fixes and delivers them together.
    case deferred
  }

  /// How a significant change, or `acquire`, gets its fix.
  package struct Acquisition: Hashable, Sendable {
    /// How long it may take from the receiver's first fix on.
    package var budget: Duration
    /// Metres; such a fix ends it at once.
    package var desiredAccuracy: Double
    /// Metres; such a fix is taken when the budget is spent. `nil`: any.
    package var acceptableAccuracy: Double?

    package init(
      budget: Duration = .seconds(15), desiredAccuracy: Double = 10, acceptableAccuracy: Double? = 100
    ) {
      self.budget = budget
      self.desiredAccuracy = desiredAccuracy
      self.acceptableAccuracy = acceptableAccuracy
    }
  }

  /// Which cached fix comes first.
  package enum Replay: String, Hashable, Sendable, CaseIterable {
    /// One that is good enough for the level.
    case fresh
    /// Whatever there is.
    case any
    case none
  }

  package var mode: Mode
  /// A demand on the receiver and the measure of `achievedAccuracy`; withholds nothing.
  package var accuracy: AccuracyDemand
  package var minInterval: Duration
  /// Metres from the last delivered fix.
  package var minDistance: Double
  /// A heartbeat: without a delivery for so long the newest fix is told again, marked.
  package var maxInterval: Duration?
  /// Withholds fixes with a larger or unknown accuracy, metres.
  package var onlyBetterThan: Double?
  package var maxUpdates: Int?
  package var duration: Duration?
  /// Metres along the path after which a batch is delivered.
  package var deferredDistance: Double?
  /// How long after its first fix a batch is delivered.
  package var deferredTimeout: Duration?
  /// Metres from the last delivery that make a change significant.
  package var significantDistance: Double
  /// The least time between two significant changes.
  package var significantInterval: Duration
  /// How a significant change is followed up; `nil`: it is delivered as it is.
  package var acquire: Acquisition?
  package var activity: Activity
  /// Whether delivery pauses while the device rests.
  package var autoPause: Bool
  package var replay: Replay

  package init(
    mode: Mode = .continuous, accuracy: AccuracyDemand = .level(.room), minInterval: Duration = .seconds(1),
    minDistance: Double = 0, maxInterval: Duration? = nil, onlyBetterThan: Double? = nil, maxUpdates: Int? = nil,
    duration: Duration? = nil, deferredDistance: Double? = nil, deferredTimeout: Duration? = nil,
    significantDistance: Double = 500, significantInterval: Duration = .seconds(300), acquire: Acquisition? = nil,
    activity: Activity = .other, autoPause: Bool = false, replay: Replay = .fresh
  ) {
    self.mode = mode
    self.accuracy = accuracy
    self.minInterval = minInterval
    self.minDistance = minDistance
    self.maxInterval = maxInterval
    self.onlyBetterThan = onlyBetterThan
    self.maxUpdates = maxUpdates
    self.duration = duration
    self.deferredDistance = deferredDistance
    self.deferredTimeout = deferredTimeout
    self.significantDistance = significantDistance
    self.significantInterval = significantInterval
    self.acquire = acquire
    self.activity = activity
    self.autoPause = autoPause
    self.replay = replay
  }
}

/// What `subscription.update` changes in place; `nil` leaves it as it is.
package struct SubscriptionChange: Hashable, Sendable {
  /// What is as where nobody says anything from now on.
  package var reset: Set<SubscriptionParameter> = []
  package var mode: SubscriptionParameters.Mode?
  package var accuracy: AccuracyDemand?
  package var minInterval: Duration?
  package var minDistance: Double?
  package var maxInterval: Duration?
  package var onlyBetterThan: Double?
  package var maxUpdates: Int?
  package var duration: Duration?
  package var deferredDistance: Double?
  package var deferredTimeout: Duration?
  package var significantDistance: Double?
  package var significantInterval: Duration?
  package var acquire: SubscriptionParameters.Acquisition?
  package var activity: Activity?
  package var autoPause: Bool?

  package init() {}
}
