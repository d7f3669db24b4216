import Positioning
import ReceiverPorts

/// One subscription to the daemon's status.
struct StatusSubscription: Hashable, Sendable {
  let id: SubscriptionID
  private(set) var updates = 0
  /// The revision of which it was last notified, by `StatusBoard`; `nil`: none yet.
  private(set) var seen: Int?

  init(id: SubscriptionID) {
    self.id = id
  }

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
  var power: PowerState
  var source: SourceState
  var gpsdVersion: String?
  var reconnects: Int
  /// Unchanged while the same holders have the same demands.
  var demands: Int
  var lastError: DaemonStatus.LastError?
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
    case .power: self.power == other.power
    case .gpsd:
      self.source == other.source && self.gpsdVersion == other.gpsdVersion && self.reconnects == other.reconnects
    case .demand: self.demands == other.demands
    case .inUse: self.inUse == other.inUse
    case .lastError: self.lastError == other.lastError
    case .clients:
      self.clients == other.clients && self.requests == other.requests && self.subscriptions == other.subscriptions
    }
  }
}
