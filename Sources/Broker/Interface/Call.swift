package import Positioning

/// What a client asks of the broker. Every call gets exactly one `Answer`, by its deadline.
package enum Call: Hashable, Sendable {
  case getFix(FixRequest)
  case lastFix
  case subscribe(SubscriptionParameters)
  case updateSubscription(number: Int, SubscriptionChange)
  case cancelSubscription(number: Int)
  case listSubscriptions
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
}

/// A one-shot request for a fix.
package struct FixRequest: Hashable, Sendable {
  /// What the client would like.
  package var accuracy: AccuracyDemand
  /// What it would accept at the timeout; `nil`: the same.
  package var acceptableAccuracy: AccuracyDemand?
  /// How old the fix may be; `nil`: as old as the demand's level allows.
  package var maximumAge: Duration?
  /// How long it waits; zero: until the daemon's own limit.
  package var timeout: Duration
  package var activity: Activity

  package init(
    accuracy: AccuracyDemand = .level(.block), acceptableAccuracy: AccuracyDemand? = nil, maximumAge: Duration? = nil,
    timeout: Duration = .seconds(30), activity: Activity = .other
  ) {
    self.accuracy = accuracy
    self.acceptableAccuracy = acceptableAccuracy
    self.maximumAge = maximumAge
    self.timeout = timeout
    self.activity = activity
  }
}

/// What a position subscription asks for.
package struct SubscriptionParameters: Hashable, Sendable {
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Turns the receiver on.
    case continuous
    /// Rides on what others need.
    case passive
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
  package var activity: Activity
  package var replay: Replay

  package init(
    mode: Mode = .continuous, accuracy: AccuracyDemand = .level(.room), minInterval: Duration = .seconds(1),
    minDistance: Double = 0, maxInterval: Duration? = nil, onlyBetterThan: Double? = nil, maxUpdates: Int? = nil,
    duration: Duration? = nil, activity: Activity = .other, replay: Replay = .fresh
  ) {
    self.mode = mode
    self.accuracy = accuracy
    self.minInterval = minInterval
    self.minDistance = minDistance
    self.maxInterval = maxInterval
    self.onlyBetterThan = onlyBetterThan
    self.maxUpdates = maxUpdates
    self.duration = duration
    self.activity = activity
    self.replay = replay
  }
}

/// What `subscription.update` changes in place; `nil` leaves it as it is.
package struct SubscriptionChange: Hashable, Sendable {
  package var mode: SubscriptionParameters.Mode?
  package var accuracy: AccuracyDemand?
  package var minInterval: Duration?
  package var minDistance: Double?
  package var maxInterval: Duration?
  package var onlyBetterThan: Double?
  package var maxUpdates: Int?
  package var duration: Duration?
  package var activity: Activity?

  package init() {}
}
