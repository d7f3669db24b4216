import Positioning
import ReceiverPorts

/// One subscription to the daemon's own state.
struct StatusSubscription: Hashable, Sendable {
  let id: SubscriptionID
  private(set) var updates = 0
  /// What it was told last, by `StatusBoard`; `nil`: nothing yet.
  private(set) var seen: Int?

  init(id: SubscriptionID) {
    self.id = id
  }

  /// It is told the state as of that revision.
  mutating func told(_ revision: Int) {
    self.seen = revision
    self.updates += 1
  }
}

/// What decides whether a part of the status is worth telling: no ages, no counters that run.
struct StatusFingerprint: Hashable, Sendable {
  var receiver: ReceiverDevice?
  var availability: Availability
  var power: PowerState
  var source: SourceState
  var gpsdVersion: String?
  var reconnects: Int
  /// The same as long as the same is asked by the same.
  var demands: Int
  var lastError: DaemonStatus.LastError?
  var clients: Int
  var requests: Int
  var subscriptions: Int
  /// How often it changed who is in use.
  var inUse: Int

  func changes(since last: StatusFingerprint?) -> [DaemonStatus.Part] {
    guard let last else { return DaemonStatus.Part.allCases }
    return DaemonStatus.Part.allCases.filter { !self.hasSame($0, as: last) }
  }

  private func hasSame(_ part: DaemonStatus.Part, as other: StatusFingerprint) -> Bool {
    switch part {
    case .receiver: self.receiver == other.receiver && self.availability == other.availability
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
