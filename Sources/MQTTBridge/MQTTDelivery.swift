import Positioning

/// The messages on their way to the MQTT broker, and the events that they make up.
///
/// An event is taken once the MQTT broker has confirmed all its messages, and all events before it are taken: only then
/// may it be acknowledged to positiond, which keeps it until then.
struct MQTTDelivery {
  /// The most messages without a confirmation. MQTT allows 65535, but a small broker keeps fewer.
  static let window = 20

  private struct Outgoing {
    let message: MQTTMessage
    /// The number of the event that it belongs to.
    let event: Int?
  }

  /// In order.
  private var waiting = Fifo<Outgoing>()
  private var inFlight: [Int: (event: Int?, since: Instant)] = [:]
  /// Events with messages that are not confirmed, in order.
  private var events = Fifo<(id: Int, unconfirmed: Int)>()
  private var lastNumber = 0
  /// The newest event that is taken, as are all before it. It never falls, unless positiond has lost its store.
  private(set) var takenThrough: Int?

  /// The newest event that was delivered and is not forgotten.
  private var newest: Int { self.events.last?.id ?? self.takenThrough ?? 0 }

  /// How many messages wait or are on their way.
  var count: Int { self.waiting.count + self.inFlight.count }

  /// When the oldest message without a confirmation was sent.
  var oldest: Instant? { self.inFlight.values.map(\.since).min() }

  mutating func add(_ messages: [MQTTMessage]) {
    self.waiting += messages.map { Outgoing(message: $0, event: nil) }
  }

  /// Adds the messages of an event. Numbers rise, so one that does not was delivered before, and is not published again.
  mutating func add(_ messages: [MQTTMessage], event: Int) {
    guard event > self.newest else { return }
    self.waiting += messages.map { Outgoing(message: $0, event: event) }
    self.events.append((event, messages.count))
    self.settle()
  }

  /// Adds messages that go before all that wait.
  mutating func addFirst(_ messages: [MQTTMessage]) {
    self.waiting.insert(contentsOf: messages.map { Outgoing(message: $0, event: nil) }, at: 0)
  }

  /// Drops the waiting messages that reveal more; their events count as taken. `nil`: all that reveal anything.
  mutating func withhold(above limit: Precision?) {
    for outgoing in self.waiting where outgoing.message.isAbove(limit) { self.finish(outgoing.event) }
    self.waiting.removeAll { $0.message.isAbove(limit) }
    self.settle()
  }

  /// The messages that may be sent now, with numbers that are not used again.
  mutating func send(now: Instant) -> [(number: Int, message: MQTTMessage)] {
    var sent: [(number: Int, message: MQTTMessage)] = []
    while self.inFlight.count < Self.window, let outgoing = self.waiting.popFirst() {
      self.lastNumber += 1
      self.inFlight[self.lastNumber] = (outgoing.event, now)
      sent.append((self.lastNumber, outgoing.message))
    }
    return sent
  }

  /// The MQTT broker has confirmed a message.
  mutating func confirmed(_ number: Int) {
    guard let (event, _) = self.inFlight.removeValue(forKey: number) else { return }
    self.finish(event)
    self.settle()
  }

  private mutating func finish(_ event: Int?) {
    guard let event, let place = self.events.firstIndex(where: { $0.id == event }) else { return }
    self.events[place].unconfirmed -= 1
  }

  /// The connection to the MQTT broker is lost: what was not confirmed may or may not have arrived.
  mutating func forget() {
    self.waiting = []
    self.inFlight = [:]
    self.events.removeAll()
  }

  /// positiond delivers all events again that are not acknowledged. Messages on their way do not count for them.
  mutating func forgetEvents() {
    self.waiting.removeAll { $0.event != nil }
    self.detach()
  }

  /// positiond's newest event has this number. If ours is newer, it has lost its store, and counts again. It does not
  /// deliver the old events again, so their messages stay, but count for none.
  mutating func restart(ifAfter lastEvent: Int) {
    guard self.newest > lastEvent else { return }
    self.waiting = Fifo(self.waiting.map { Outgoing(message: $0.message, event: nil) })
    self.detach()
    self.takenThrough = nil
  }

  private mutating func detach() {
    for number in self.inFlight.keys { self.inFlight[number]?.event = nil }
    self.events.removeAll()
  }

  private mutating func settle() {
    while let first = self.events.first, first.unconfirmed == 0 {
      self.takenThrough = first.id
      self.events.popFirst()
    }
  }
}

extension MQTTMessage {
  /// Whether it reveals more than this; `nil`: anything.
  func isAbove(_ limit: Precision?) -> Bool {
    self.reveals.map { reveals in limit.map { reveals > $0 } ?? true } ?? false
  }
}
