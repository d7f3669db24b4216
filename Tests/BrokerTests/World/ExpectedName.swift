import Positioning

@testable import Broker

/// One durable name as its clients know it: the promised registrations, and the sent events.
struct ExpectedName {
  struct Attachment {
    let client: ClientID
    /// The newest event that was sent, or the number before the first one to send.
    var last: UInt64
    /// In which turn it was.
    var turn: Int
  }

  var wake: String?
  var position: SubscriptionParameters?
  /// Whether its client paused the positions.
  var isPaused = false
  var hasVisits = false
  /// With the times of their adding.
  var regions: [String: (region: Region, added: Instant)] = [:]
  var attachment: Attachment?
  /// The newest event that was acknowledged and answered.
  var acknowledged: UInt64
  /// The newest event that a client tried to acknowledge: it may be sent again, or not.
  private var taken: UInt64 = 0
  /// The newest dropped event.
  private(set) var dropped: UInt64 = 0
  private var sent: [UInt64: DurableEvent] = [:]

  /// - Parameter last: The newest event of any name of the user.
  init(last: UInt64) { self.acknowledged = last }

  /// A name whose first event number is unknown.
  init(unknownWith attachment: Attachment?) {
    self.init(last: 0)
    self.isFirstUnknown = true
    self.attachment = attachment
  }

  /// - Parameter since: The last event that the client has.
  mutating func attached(to client: ClientID, after since: UInt64?, in turn: Int) {
    self.attachment = Attachment(client: client, last: max(self.acknowledged, since ?? 0), turn: turn)
  }

  mutating func mayBeAcknowledged(through event: UInt64) { self.taken = max(self.taken, event) }

  /// An event of a name of which too little is known to check it.
  mutating func receivedSomething(_ event: DurableEvent) { self.attachment?.last = event.id }

  /// Whether the number of its first event is unknown.
  var isFirstUnknown = false

  mutating func acknowledged(through event: UInt64) {
    self.acknowledged = max(self.acknowledged, event)
    self.sent = self.sent.filter { $0.key > self.acknowledged }
  }

  mutating func overflowed(through event: UInt64) {
    self.dropped = max(self.dropped, event)
  }

  mutating func received(dropped: Int, client: ClientID) -> String? {
    if self.attachment?.client != client { return "an overflow to a client that is not attached" }
    return dropped > 0 ? nil : "an overflow of \(dropped) events"
  }

  /// An event was sent; returns what is wrong with it.
  mutating func received(_ event: DurableEvent, client: ClientID) -> String? {
    guard let last = self.attachment?.last, self.attachment?.client == client else {
      return "an event to a client that is not attached"
    }
    if self.isFirstUnknown {
      self.isFirstUnknown = false
      self.taken = max(self.taken, event.id - 1)
    }
    if let before = self.sent[event.id], before != event { return "event \(event.id) is another now" }
    if event.id <= last { return "event \(event.id) after \(last)" }
    if event.id <= self.acknowledged { return "event \(event.id) though \(self.acknowledged) was acknowledged" }
    if event.id - 1 > max(last, self.acknowledged, self.dropped, self.taken) {
      return "event \(event.id) next to \(last)"
    }
    self.sent[event.id] = event
    self.attachment?.last = event.id
    return nil
  }

  /// The events that must be sent again.
  var owed: [DurableEvent] {
    self.sent.values.filter { $0.id > max(self.dropped, self.taken) }.sorted { $0.id < $1.id }
  }

  /// Expected registrations that are missing from the daemon's list.
  func missing(from info: DurableInfo?, now: Instant) -> String? {
    guard let info else { return "the name" }
    if info.wake != self.wake { return "its unit" }
    if self.hasVisits, !info.hasVisits { return "its visits" }
    if info.lastEvent < max(self.acknowledged, self.sent.keys.max() ?? 0) { return "its newest number" }
    if let position, info.position != position, position.duration == nil, position.maxUpdates == nil {
      return "its positions"
    }
    for (region, added) in self.regions.values where !info.regions.contains(where: { $0.region == region }) {
      guard let expiresIn = region.expiresIn, now - added >= expiresIn else { return "its region \(region.id)" }
    }
    return nil
  }
}
