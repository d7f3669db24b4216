import JSONRPC
import PositionClient
import Positioning
import TestSupport
import Testing

@testable import MQTTBridge

/// positiond's inbox and an MQTT broker, in virtual time: what the machine's actions do to them.
struct World {
  /// The broker that events go to.
  struct Broker {
    var isThere = true
    /// The chance that the connection breaks at a message.
    var breaks = 0.0
    /// Everything that arrived, in order.
    var arrived: [MQTTMessage] = []
    /// Numbers of messages that it has not confirmed yet.
    var unconfirmed: [Int] = []
    var isConnected = false
  }

  /// positiond's side of the durable name.
  struct Inbox {
    var events: [Int: DurableContent] = [:]
    var lastEvent = 0
    var isAttached = false
    var acknowledged = 0
    /// How many stores were lost.
    var losses = 0
  }

  var now = WallMoment(instant: Instant(sinceBoot: .seconds(1000)), since1970: .seconds(1_700_000_000))
  var machine: BridgeMachine
  var broker = Broker()
  var inbox = Inbox()
  /// Whether an attached positiond has gone. A new session finds it again.
  private(set) var isPositiondAway = false
  /// What positiond lets the bridge know.
  private(set) var permitted: Precision? = .precise
  var random: SeededRandom
  var deadline: Instant?
  var log: [String] = []
  /// The fixes that the broker has confirmed.
  private var confirmed: Set<Int> = []
  /// What is wrong, if anything was.
  var violations: [String] = []
  private var pending: [BridgeEvent] = []
  private var contents: [Int: MQTTMessage] = [:]

  init(_ settings: BridgeSettings = BridgeSettings(), seed: UInt64 = 1) {
    self.machine = BridgeMachine(Self.messages(settings))
    self.random = SeededRandom(seed: seed)
  }

  static func messages(_ settings: BridgeSettings = BridgeSettings()) -> BridgeMessages {
    BridgeMessages(settings: settings, names: BridgeNames(settings, host: "boat"))
  }

  /// A fix whose latitude is its number's ten-thousandth.
  static func fix(_ number: Int, at now: WallMoment) -> Fix {
    Fix(
      latitude: Double(number) / 10_000, longitude: 11.5, horizontalAccuracy: 7.2,
      time: Timestamp(since1970: now.since1970), arrival: now.instant)
  }

  // MARK: Time

  mutating func start() { self.handle(.started) }

  /// Lets time pass, with everything that is due in between.
  mutating func pass(_ time: Duration) {
    let end = self.now.instant + time
    while let deadline, deadline <= end {
      self.set(max(deadline, self.now.instant))
      self.handle(.timeReached)
    }
    self.set(end)
  }

  private mutating func set(_ instant: Instant) {
    self.now.since1970 += instant - self.now.instant
    self.now.instant = instant
  }

  // MARK: Events

  /// The bridge may know no more than this; positiond has purged what waited.
  mutating func permit(_ precision: Precision?) {
    self.permitted = precision
    self.inbox.acknowledged = self.inbox.lastEvent
    self.inbox.events = [:]
    self.handle(.permitted(precision))
  }

  /// What the MQTT broker keeps at each topic of the position.
  var kept: [String: [UInt8]] {
    var kept: [String: [UInt8]] = [:]
    for message in self.broker.arrived where message.isRetained {
      kept[message.topic] = message.payload.isEmpty ? nil : message.payload
    }
    return kept.filter { $0.key.hasPrefix("owntracks/") || $0.key.hasSuffix("/attributes") }
  }

  /// An event with this many fixes.
  mutating func occur(fixes: Int = 1) {
    self.inbox.lastEvent += 1
    let number = self.inbox.lastEvent
    // The numbers of fixes are never used again, unlike those of events.
    let first = (self.inbox.losses * 2000 + number) * 100
    let all = (0..<fixes).map { Self.fix(first + $0, at: self.now) }
    self.inbox.events[number] = .position(PositionUpdate(fixes: all, availability: .available))
    if self.inbox.isAttached { self.deliver(number) }
  }

  mutating func breakConnection() {
    guard self.broker.isConnected else { return }
    self.broker.isConnected = false
    self.broker.unconfirmed = []
    self.handle(.failed(MQTTFailure("it is gone")))
  }

  /// The broker confirms all that arrived.
  mutating func confirmAll() { while !self.broker.unconfirmed.isEmpty { self.confirmNext() } }

  mutating func confirmNext() {
    guard !self.broker.unconfirmed.isEmpty else { return }
    let number = self.broker.unconfirmed.removeFirst()
    if let message = self.contents[number], let fix = Self.fix(of: message) { self.confirmed.insert(fix) }
    self.handle(.confirmed(number))
  }

  /// positiond loses its store, and counts again.
  mutating func loseStore() { self.inbox = Inbox(losses: self.inbox.losses + 1) }

  /// positiond is away. While it is, nothing can be acknowledged.
  mutating func losePositiond() {
    guard self.inbox.isAttached else { return }
    self.inbox.isAttached = false
    self.isPositiondAway = true
    self.handle(.happened(DurableEvent(reason: .disconnected)))
  }

  /// positiond is back, and delivers all again that is not acknowledged.
  mutating func findPositiond() {
    guard self.isPositiondAway else { return }
    self.isPositiondAway = false
    self.attach()
    self.handle(.happened(DurableEvent(reason: .reconnected)))
  }

  private mutating func attach() {
    self.inbox.isAttached = true
    var events = [BridgeEvent.attached(lastEvent: self.inbox.lastEvent)]
    events += self.inbox.events.sorted { $0.key < $1.key }.map { .happened(DurableEvent(id: $0, content: $1)) }
    for event in events { self.handle(event) }
  }

  private static func number(of fix: Fix) -> Int { Int((fix.latitude * 10_000).rounded()) }

  /// The number of the fix of a location.
  static func fix(of message: MQTTMessage) -> Int? {
    guard message.topic.hasPrefix("owntracks/"), let json = try? JSONValue(parsing: message.payload) else { return nil }
    return switch json["lat"] {
    case .number(let latitude)?: Int((latitude * 10_000).rounded())
    case .integer(let latitude)?: latitude * 10_000
    default: nil
    }
  }

  private mutating func deliver(_ number: Int) {
    guard let content = self.inbox.events[number] else { return }
    self.handle(.happened(DurableEvent(id: number, content: content)))
  }

  mutating func handle(_ event: BridgeEvent) {
    self.pending.append(event)
    guard self.pending.count == 1 else { return }
    while let next = self.pending.first {
      let actions = self.machine.handle(next, at: self.now, jitter: Double.random(in: 0...1, using: &self.random))
      for action in actions { self.perform(action) }
      self.pending.removeFirst()
    }
  }

  private mutating func perform(_ action: BridgeAction) {
    switch action {
    case .connect:
      self.broker.isConnected = self.broker.isThere
      self.pending.append(self.broker.isThere ? .connected : .failed(MQTTFailure("nobody serves it")))
    case .disconnect:
      self.broker.isConnected = false
      self.broker.unconfirmed = []
    case .publish(let number, let message):
      guard self.broker.isConnected else { return }
      self.contents[number] = message
      if Double.random(in: 0..<1, using: &self.random) < self.broker.breaks {
        // It arrives or not; its confirmation does not.
        if Bool.random(using: &self.random) { self.broker.arrived.append(message) }
        self.broker.isConnected = false
        self.broker.unconfirmed = []
        self.pending.append(.failed(MQTTFailure("it broke")))
        return
      }
      self.broker.arrived.append(message)
      self.broker.unconfirmed.append(number)
      if self.broker.unconfirmed.count > 20 { self.violations.append("more than 20 messages without a confirmation") }
    case .beginSession:
      self.inbox.isAttached = false
      self.isPositiondAway = false
      self.pending.append(.permitted(self.permitted))
      self.pending.append(.registered(lastEvent: self.inbox.lastEvent))
    case .endSession:
      self.inbox.isAttached = false
      self.isPositiondAway = false
    case .attach(let since):
      if !self.broker.isConnected { self.violations.append("attached without the MQTT broker") }
      if let since { self.acknowledge(since) }
      self.attach()
    case .acknowledge(let id):
      if !self.inbox.isAttached { self.violations.append("acknowledged without positiond") }
      self.acknowledge(id)
      self.pending.append(.acknowledged(id))
    case .wait(let until): self.deadline = until
    case .log(_, let message): self.log.append(message)
    }
  }

  private mutating func acknowledge(_ id: Int) {
    for (number, content) in self.inbox.events where number <= id {
      guard case .position(let update) = content,
        !update.fixes.allSatisfy({ self.confirmed.contains(Self.number(of: $0)) })
      else { continue }
      self.violations.append("event \(number) was acknowledged before its messages were confirmed")
    }
    self.inbox.acknowledged = max(self.inbox.acknowledged, id)
    self.inbox.events = self.inbox.events.filter { $0.key > id }
  }

  /// How often each event's location arrived.
  var arrivals: [Int: Int] {
    self.broker.arrived.compactMap { Self.fix(of: $0).map { $0 / 100 } }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}
