package import Positioning
package import ReceiverPorts

/// The one answer to a `Call`.
package enum Answer: Hashable, Sendable {
  case fix(FixOutcome)
  case lastFix(LastFix)
  /// A subscription of any kind stands.
  case subscribed(SubscriptionInfo)
  case subscription(SubscriptionInfo)
  case subscriptions([SubscriptionInfo])
  case request(RequestOutcome)
  case requests([RequestInfo])
  case sky(Sky?)
  case heading(HeadingOutcome)
  case status(Status)
  /// A durable position or visit registration stands, or was steered.
  case durableSubscribed(name: String, SubscriptionState, Availability)
  /// `warning`: what the client should know of a region that was accepted. `isReduced`: by what it was judged.
  case region(RegionState, warning: String?, isReduced: Bool = false)
  /// A page of them, and how many come after it.
  case regions([RegionInfo], omitted: Int = 0)
  case durable(DurableInfo)
  case durables([DurableInfo])
  case authorization(Authorization)
  case agentRegistered
  case clients([ClientInfo])
  case grants([GrantInfo])
  /// A decision was stored, or removed (then it is what was removed).
  case grant(GrantInfo)
  /// The master switch is on, or off.
  case enabled(Bool, isStored: Bool = true, unread: String? = nil)
  case failed(CallFailure)
}

package struct RegionInfo: Hashable, Sendable {
  package var region: Region
  package var state: RegionState
  package var since: Instant?
  /// Until it expires.
  package var remaining: Duration?
  /// Whether its state was judged by the reduced position.
  package var isReduced = false
}

/// What is registered under a durable name.
package struct DurableInfo: Hashable, Sendable {
  package var name: String
  package var wake: String?
  /// The first of them, as far as the call lists any.
  package var regions: [RegionInfo]
  /// How many more there are.
  package var regionsOmitted = 0
  package var position: SubscriptionParameters?
  package var hasVisits: Bool
  /// How many events wait to be acknowledged.
  package var waiting: Int
  /// The number of the newest event ever, 0 before the first.
  package var lastEvent: UInt64
  /// Whether a client is attached.
  package var isAttached: Bool
  /// Why the unit could not be started the last time, in words.
  package var wakeTrouble: String?
}

package enum CallFailure: Hashable, Sendable {
  case cancelled
  /// No such subscription of this client.
  case noSubscription(number: Int)
  /// The client has a subscription of that number, but not to positions, which the call is for.
  case wrongKind(number: Int, SubscriptionInfo.Kind)
  case limitExceeded(name: String, value: Int)
  /// No such region, or durable name, of this client or user.
  case noRegion(id: String)
  case noDurable(name: String)
  /// A rule forbids it, or none allows it; `remedy` says who can change that, and how.
  case restricted(what: String, rule: String? = nil, remedy: String)
  /// A person answered no, or allowed less; when.
  case denied(what: String, at: Instant?, remedy: String)
  /// The master switch is off.
  case switchedOff(remedy: String)
  /// No rule and no person says anything, and nobody can be asked, or nobody answered.
  case notDetermined(remedy: String)
  /// More precision is asked for than is granted.
  case accuracyLimited(what: String, remedy: String)
  /// The store does not work; nothing was registered.
  case notStored(String)
  /// The daemon is stopping.
  case shuttingDown
  /// The receiver has no sensor of headings, and tells no course.
  case noHeading
  /// The parameter does not go with the subscription; where, and what was expected.
  case invalid(parameter: String, expected: String)
}

/// How a one-shot request ended.
package struct FixOutcome: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable {
    case success, timedOut
  }

  package var status: Status
  /// Whether the fix meets what the client would like, not just what it would accept.
  package var isSatisfied: Bool
  package var fix: Fix?
  package var achievedAccuracy: AccuracyLevel?
  package var isFromCache: Bool
  package var elapsed: Duration
  package var diagnostics: Diagnostics
}

package struct LastFix: Hashable, Sendable {
  package var fix: Fix?
  package var achievedAccuracy: AccuracyLevel?
  package var availability: Availability
}

/// What stands between the client and a better answer.
package struct Diagnostics: Hashable, Sendable {
  package var availability: Availability
  package var mode: Fix.Mode?
  package var satellitesSeen: Int?
  package var satellitesUsed: Int?
  package var lastFixAge: Duration?
  /// The receiver's path.
  package var receiver: String?
  package var power: PowerState.State
  /// The state of the path to the receiver in words, where there is something to say.
  package var detail: String?

  package init(
    availability: Availability, mode: Fix.Mode? = nil, satellitesSeen: Int? = nil, satellitesUsed: Int? = nil,
    lastFixAge: Duration? = nil, receiver: String? = nil, power: PowerState.State, detail: String? = nil
  ) {
    self.availability = availability
    self.mode = mode
    self.satellitesSeen = satellitesSeen
    self.satellitesUsed = satellitesUsed
    self.lastFixAge = lastFixAge
    self.receiver = receiver
    self.power = power
    self.detail = detail
  }
}

package enum RequestOutcome: String, Hashable, Sendable {
  case completed, cancelled, unknown
}

package struct RequestInfo: Hashable, Sendable {
  package enum Asked: Hashable, Sendable {
    case fix(FixRequest)
    case heading(HeadingRequest)
  }

  package var call: CallID
  package var asked: Asked
  package var elapsed: Duration
  /// Until the timeout.
  package var remaining: Duration
}

/// The state of a subscription, as told to its client.
package enum SubscriptionState: String, Hashable, Sendable, CaseIterable {
  case waiting, acquiring, delivering, paused, suspended, ended
}

package struct SubscriptionInfo: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case position(SubscriptionParameters)
    case sky(minInterval: Duration)
    case heading(HeadingParameters)
    case status
    case visits
  }

  package var id: SubscriptionID
  package var kind: Kind
  package var state: SubscriptionState
  package var availability: Availability
  package var updates: Int
}

/// What `status.get` tells.
package struct Status: Hashable, Sendable {
  package var receiver: ReceiverDevice?
  package var availability: Availability
  /// Since when `availability` has held.
  package var availabilitySince: Instant
  /// What the path to the receiver does, in words.
  package var detail: String?
  package var source: SourceState
  package var power: PowerState
  /// How long the receiver was on since the daemon started.
  package var onTime: Duration
  /// The share of the last hour, and of the last day, that the receiver was on; 0...1.
  package var dutyCycleHour: Double
  package var dutyCycleDay: Double
  /// How often the receiver was started.
  package var starts: Int
  package var demand: Demand?
  /// Who is being given positions.
  package var inUse: [InUse]
  /// Who asks for what, as far as the client may know: the answer to "who keeps the receiver on?".
  package var demands: [ClientDemand]
  /// How many more ask, beyond `maximumDemands` or beyond what the client may know.
  package var demandsOmitted: Int
  package var lastFixAge: Duration?
  package var lastFixLevel: AccuracyLevel?
  /// How its horizontal accuracy came to be known.
  package var lastFixAccuracySource: AccuracySource?
  package var lastError: LastError?
  package var clients: Int
  package var requests: Int
  package var subscriptions: Int
  /// Reports that became no fix, counted by reason since the daemon started.
  package var rejections: [String: Int]
  package var reports: Int
  package var fixes: Int

  /// What gpsd calls its release; `nil` until it has said so.
  package var gpsdVersion: String?
  /// How often the connection to gpsd had to be made again.
  package var reconnects: Int

  /// The most that are listed: every client may ask for the status, and every client may have hundreds of demands.
  package static let maximumDemands = 64

  package struct LastError: Hashable, Sendable {
    package var message: String
    package var at: Instant
  }

  package struct ClientDemand: Hashable, Sendable {
    package var principal: Principal
    package var what: String
    package var demand: Demand
    /// Whether the merged demand is as it is because of this one.
    package var isDecisive: Bool
  }
}

/// A need of the receiver; merged, the finest accuracy and the shortest interval of all.
package struct Demand: Hashable, Sendable {
  /// Metres.
  package var accuracy: Double
  package var interval: Duration
  package var activity: Activity

  package init(accuracy: Double, interval: Duration, activity: Activity) {
    self.accuracy = accuracy
    self.interval = interval
    self.activity = activity
  }
}

/// The parts of `Status` that change apart from each other.
package enum StatusPart: String, Hashable, Sendable, CaseIterable {
  case receiver, power, gpsd, demand, lastError, clients, inUse
}
