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
  private var waiting: [Outgoing] = []
  private var inFlight: [Int: (event: Int?, since: Instant)] = [:]
  /// Events with messages that are not confirmed, in order.
  private var events: [(id: Int, unconfirmed: Int)] = []
  private var lastNumber = 0
  /// The newest event that is taken, as are all before it.
  private(set) var takenThrough: Int?

  /// How many messages wait or are on their way.
  var count: Int { self.waiting.count + self.inFlight.count }

  /// When the oldest message without a confirmation was sent.
  var oldest: Instant? { self.inFlight.values.map(\.since).min() }

  mutating func add(_ messages: [MQTTMessage], event: Int? = nil) {
    self.waiting += messages.map { Outgoing(message: $0, event: event) }
    guard let event else { return }
    self.events.append((event, messages.count))
    self.settle()
  }

  /// The messages that may be sent now, with numbers that are not used again.
  mutating func send(now: Instant) -> [(number: Int, message: MQTTMessage)] {
    let sent = self.waiting.prefix(max(0, Self.window - self.inFlight.count))
    self.waiting.removeFirst(sent.count)
    return sent.map { outgoing in
      self.lastNumber += 1
      self.inFlight[self.lastNumber] = (outgoing.event, now)
      return (self.lastNumber, outgoing.message)
    }
  }

  /// The MQTT broker has confirmed a message.
  mutating func confirmed(_ number: Int) {
    guard let (event, _) = self.inFlight.removeValue(forKey: number), let event,
      let place = self.events.firstIndex(where: { $0.id == event })
    else { return }
    self.events[place].unconfirmed -= 1
    self.settle()
  }

  /// The connection to the MQTT broker is lost: what was not confirmed may or may not have arrived.
  mutating func forget() {
    self.waiting = []
    self.inFlight = [:]
    self.events = []
  }

  /// positiond delivers all events again that are not acknowledged. Messages on their way do not count for them.
  mutating func forgetEvents() {
    self.waiting.removeAll { $0.event != nil }
    for number in self.inFlight.keys { self.inFlight[number]?.event = nil }
    self.events = []
  }

  /// positiond has no event of a number so high: it has lost its store, and counts again.
  mutating func restart(ifAfter lastEvent: Int) {
    if let taken = self.takenThrough, taken > lastEvent { self.takenThrough = nil }
  }

  private mutating func settle() {
    while let first = self.events.first, first.unconfirmed == 0 {
      self.takenThrough = first.id
      self.events.removeFirst()
    }
  }
}
