import Positioning
import ReceiverPorts
import Trust

/// A subscription of any kind.
enum Subscription: Grouped {
  /// Indirect, like that to headings, since they are many times as large as the others.
  indirect case position(PositionSubscription)
  case sky(SkySubscription)
  indirect case heading(HeadingSubscription)
  case status(StatusSubscription)
  case visits(VisitSubscription)

  /// The reports that it needs.
  enum Channel: Hashable, Sendable {
    /// With the feed that judges it; `nil`: its holder may know none.
    case positions(FixFeedKey?)
    case visits(FixFeedKey?)
    case sky
    case headings
    case status
  }

  var group: Channel {
    switch self {
    case .position(let position): .positions(position.feed)
    case .visits(let visits): .visits(visits.feed)
    case .sky: .sky
    case .heading: .headings
    case .status: .status
    }
  }

  var id: SubscriptionID {
    switch self {
    case .position(let position): position.id
    case .sky(let sky): sky.id
    case .heading(let heading): heading.id
    case .status(let status): status.id
    case .visits(let visits): visits.id
    }
  }

  var claims: SubscriptionClaims {
    switch self {
    case .position(let position): position.claims
    case .sky(let sky): sky.isSuspended || sky.isPassive ? .nothing : SubscriptionClaims(need: .now, demand: sky.demand)
    case .heading(let heading):
      heading.isSuspended
        ? .nothing : SubscriptionClaims(deadline: heading.nextDeadline, need: .now, demand: heading.demand)
    // All subscriptions to visits share one need.
    case .status, .visits: .nothing
    }
  }

  /// The method that causes its demand on the receiver.
  var method: String {
    switch self {
    case .position: "position.subscribe"
    case .sky: "sky.subscribe"
    case .heading: "heading.subscribe"
    case .status: "status.subscribe"
    case .visits: "visit.subscribe"
    }
  }

  /// - Parameter availability: The client's.
  func info(availability: Availability) -> SubscriptionInfo {
    switch self {
    case .position(let position): position.info
    case .sky(let sky): sky.info(availability: availability)
    case .heading(let heading): heading.info(availability: availability)
    case .status(let status):
      SubscriptionInfo(
        number: status.id.number, kind: .status, state: .delivering, availability: availability, updates: status.updates
      )
    case .visits(let visits):
      SubscriptionInfo(
        number: visits.id.number, kind: .visits, state: visits.feed?.precision == .precise ? .waiting : .suspended,
        availability: availability, updates: visits.updates)
    }
  }
}

extension PositionSubscription {
  var claims: SubscriptionClaims {
    let need = self.need
    return SubscriptionClaims(
      deadline: self.nextDeadline, need: need, feed: self.feed,
      demand: need == .now || self.isRegular && need != .none ? self.demand : nil)
  }
}

extension PositionSubscription: Grouped {
  var group: FixFeedKey? { self.feed }
}

/// One subscription to the satellites in view.
struct SkySubscription: Hashable, Sendable {
  let id: SubscriptionID
  let minInterval: Duration
  /// Whether it never needs the receiver.
  let isPassive: Bool
  /// Whether its client may not know the satellites at present.
  private(set) var isSuspended = false
  private var lastDelivered: Instant?
  /// The receiver's cycle whose sky was delivered last.
  private var lastCycle: Int?
  private(set) var updates = 0

  init(id: SubscriptionID, minInterval: Duration, isPassive: Bool) {
    self.id = id
    self.minInterval = minInterval
    self.isPassive = isPassive
  }

  /// Unless it is passive, it needs the receiver on, with no particular accuracy.
  var demand: Demand {
    Demand(accuracy: AccuracyLevel.city.meters, interval: self.minInterval, activity: .other)
  }

  func info(availability: Availability) -> SubscriptionInfo {
    SubscriptionInfo(
      number: self.id.number, kind: .sky(minInterval: self.minInterval, isPassive: self.isPassive),
      state: self.isSuspended ? .suspended : .delivering,
      availability: availability, updates: self.updates)
  }

  mutating func suspend(_ isSuspended: Bool) { self.isSuspended = isSuspended }

  /// A fuller sky of the cycle that was delivered corrects it, and begins no interval.
  mutating func received(_ sky: Sky, cycle: Int) -> Sky? {
    if cycle != self.lastCycle {
      if let lastDelivered {
        let tolerance = min(self.minInterval / 10, .seconds(30))
        guard sky.arrival - lastDelivered >= self.minInterval - tolerance else { return nil }
      }
      self.lastDelivered = sky.arrival
      self.lastCycle = cycle
    }
    self.updates += 1
    return sky
  }
}

/// One subscription to the daemon's status.
struct StatusSubscription: Hashable, Sendable {
  let id: SubscriptionID
  private(set) var updates = 0
  /// The revision of which it was last notified, by `StatusRevisions`; `nil`: none yet.
  private(set) var seen: Int?

  /// It was notified of the state at this revision.
  mutating func notified(_ revision: Int) {
    self.seen = revision
    self.updates += 1
  }
}

/// The facts whose change is reported: no ages and no running counters.
struct StatusFingerprint: Hashable, Sendable {
  var receiver: ReceiverDevice?
  var availability: Availability
  var problem: ReceiverProblem?
  var verdict = Verdict()
  var power: PowerState
  var source: SourceState
  var gpsdVersion: String?
  var reconnects: Int
  /// Unchanged while the same holders have the same demands.
  var demands: Int
  var lastError: DaemonStatus.LastError?
  var clock: ClockFingerprint?
  var clients: Int
  var requests: Int
  var subscriptions: Int
  /// How often the list of users in use has changed.
  var inUse: Int

  func changes(since last: StatusFingerprint?) -> [DaemonStatus.Part] {
    guard let last else { return DaemonStatus.Part.allCases }
    return DaemonStatus.Part.allCases.filter { !self.hasSame($0, as: last) }
  }

  private func hasSame(_ part: DaemonStatus.Part, as other: StatusFingerprint) -> Bool {
    switch part {
    case .receiver:
      self.receiver == other.receiver && self.availability == other.availability && self.problem == other.problem
        && self.verdict == other.verdict
    case .power: self.power == other.power
    case .gpsd:
      self.source == other.source && self.gpsdVersion == other.gpsdVersion && self.reconnects == other.reconnects
    case .demand: self.demands == other.demands
    case .inUse: self.inUse == other.inUse
    case .lastError: self.lastError == other.lastError
    case .clock: self.clock == other.clock
    case .clients:
      self.clients == other.clients && self.requests == other.requests && self.subscriptions == other.subscriptions
    }
  }
}

/// What is reported of the clock when it changes: its figures change with each answer of chrony.
struct ClockFingerprint: Hashable, Sendable {
  private let reference: String?
  private let keep: Duration?
  private let isNeeded: Bool
  private let problem: String?

  init(_ clock: DaemonStatus.Clock) {
    (self.reference, self.keep) = (clock.figure?.reference, clock.keep)
    (self.isNeeded, self.problem) = (clock.isNeeded, clock.problem)
  }
}

extension Fix {
  /// The finest level that the fix reaches at that moment.
  func achievedAccuracy(at now: Instant) -> AccuracyLevel? {
    AccuracyLevel.achieved(accuracy: self.horizontalAccuracy, age: self.age(at: now))
  }
}

extension Availability {
  /// Whether there are fixes, as good as the client may have them.
  package var meansFixes: Bool { self == .available || self == .accuracyLimited }

  /// Whether a client that had fixes gets none because of it.
  var isFault: Bool {
    switch self {
    case .untrusted, .lost, .receiverMissing, .gpsdFull, .gpsdDown: true
    case .available, .searching, .stale, .accuracyLimited, .poweredDown, .denied, .unknown: false
    }
  }
}

/// One subscription to visits.
struct VisitSubscription: Hashable, Sendable {
  let id: SubscriptionID
  /// `nil`: its client may know nothing.
  var feed: FixFeedKey?
  var updates = 0
}

extension Availability {
  /// Clients of the reduced feed do not get the receiver's quality.
  func seen(with precision: Precision) -> Availability {
    precision == .reduced ? max(self, .accuracyLimited) : self
  }
}
