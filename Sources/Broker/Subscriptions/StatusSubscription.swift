import Positioning

/// One subscription to the daemon's own state: tells the parts that changed since it told last.
struct StatusSubscription: Hashable, Sendable {
  let id: SubscriptionID
  private(set) var updates = 0
  private var last: StatusFingerprint?

  init(id: SubscriptionID) {
    self.id = id
  }

  /// The parts to tell; all at first, empty where nothing changed.
  mutating func changed(to fingerprint: StatusFingerprint) -> [StatusPart] {
    let changed = fingerprint.changes(since: self.last)
    self.last = fingerprint
    if !changed.isEmpty { self.updates += 1 }
    return changed
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
  var demands: [Status.ClientDemand]
  var lastError: Status.LastError?
  var clients: Int
  var requests: Int
  var subscriptions: Int
  var inUse: [InUse]

  func changes(since last: StatusFingerprint?) -> [StatusPart] {
    guard let last else { return StatusPart.allCases }
    return StatusPart.allCases.filter { !self.hasSame($0, as: last) }
  }

  private func hasSame(_ part: StatusPart, as other: StatusFingerprint) -> Bool {
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
