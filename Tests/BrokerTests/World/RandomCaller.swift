import Positioning

@testable import Broker

/// A client that sends all kinds of requests, valid and invalid, and leaves without notice.
struct RandomCaller: Caller {
  let slot: UInt64
  /// A client that never leaves, and whose first subscription lasts for ever.
  let isAnchor: Bool
  private var client: ClientID
  private var isConnected = false
  private var random: SeededRandom
  private var serial: UInt64 = 0
  private var generation: UInt64 = 0

  init(slot: UInt64, isAnchor: Bool, seed: UInt64) {
    self.slot = slot
    self.isAnchor = isAnchor
    self.client = ClientID(slot)
    self.random = SeededRandom(seed: seed &+ slot &* 7919)
  }

  mutating func next() -> [BrokerEvent] {
    guard self.isConnected else {
      self.isConnected = true
      self.generation += 1
      self.client = ClientID(self.slot + 100 * self.generation)
      return [.clientConnected(self.client, Principal(uid: 1000, gid: 1000, pid: Int32(self.slot)))]
    }
    if !self.isAnchor, self.random.oneIn(30) { return self.leave() }
    self.serial += 1
    let call = CallID(client: self.client, serial: self.serial)
    if self.isAnchor, self.serial == 1 { return [.called(call, .subscribe(SubscriptionParameters()))] }
    return [.called(call, self.call())]
  }

  mutating func cutOff() { self.isConnected = false }

  mutating func leave() -> [BrokerEvent] {
    defer { self.isConnected = false }
    return self.isConnected ? [.clientDisconnected(self.client)] : []
  }

  private mutating func call() -> Call {
    switch Int.random(in: 0..<23, using: &self.random) {
    case 0..<6: .getFix(self.request())
    case 6..<10: .subscribe(self.parameters())
    case 10, 11: .updateSubscription(number: self.number(), self.change())
    case 12, 13: .cancelSubscription(number: self.number())
    case 14: .completeRequest(self.target())
    case 15: .cancelRequest(self.target())
    case 16: self.random.oneIn(2) ? .listRequests() : .listSubscriptions()
    case 17: .lastFix()
    case 18: .subscribeSky(minInterval: self.random.seconds(0...5))
    case 19: .getHeading(self.headingRequest())
    case 20, 21: .subscribeHeading(self.headingParameters())
    default: self.isAnchor || self.random.oneIn(2) ? .sky() : .subscribeStatus()
    }
  }

  /// Often one of its own, sometimes another's, sometimes an unknown one.
  private mutating func target() -> CallID {
    let newest = max(1, self.serial)
    let serial = UInt64.random(in: (newest > 8 ? newest - 8 : 0)...newest, using: &self.random)
    guard self.random.oneIn(4) else { return CallID(client: self.client, serial: serial) }
    let other = UInt64.random(in: 0...4, using: &self.random) + 100 * UInt64.random(in: 1...3, using: &self.random)
    return CallID(client: ClientID(other), serial: serial)
  }

  /// The anchor's first subscription is not changed.
  private mutating func number() -> Int { Int.random(in: (self.isAnchor ? 2 : 0)...12, using: &self.random) }

  private mutating func accuracy() -> AccuracyDemand {
    if self.random.oneIn(3) { return .meters(Double.random(in: 0.5...6000, using: &self.random)) }
    return .level(AccuracyLevel.allCases.randomElement(using: &self.random) ?? .room)
  }

  private mutating func request() -> FixRequest {
    let demands = [self.accuracy(), self.accuracy()].sorted { $0.meters < $1.meters }
    return FixRequest(
      accuracy: demands[0], acceptableAccuracy: self.random.oneIn(2) ? nil : demands[1],
      maximumAge: self.random.oneIn(2) ? nil : self.random.seconds(0...100),
      timeout: self.random.oneIn(8) ? .zero : self.random.seconds(0...90),
      activity: Activity.allCases.randomElement(using: &self.random) ?? .other)
  }

  private mutating func headingRequest() -> HeadingRequest {
    HeadingRequest(
      maximumAge: self.random.seconds(0...20), timeout: self.random.oneIn(8) ? .zero : self.random.seconds(0...90))
  }

  private mutating func headingParameters() -> HeadingParameters {
    HeadingParameters(
      minChange: self.random.oneIn(3) ? 0 : Double.random(in: 0...90, using: &self.random),
      minInterval: self.random.oneIn(2) ? .zero : self.random.seconds(0...20),
      maxInterval: self.random.oneIn(3) ? self.random.seconds(0.1...60) : nil)
  }

  private mutating func parameters() -> SubscriptionParameters {
    SubscriptionParameters(
      mode: self.random.oneIn(3) ? .passive : .continuous, accuracy: self.accuracy(),
      minInterval: self.random.oneIn(3) ? .zero : self.random.seconds(0...20),
      minDistance: self.random.oneIn(2) ? 0 : 100,
      maxInterval: self.random.oneIn(3) ? self.random.seconds(15...90) : nil,
      onlyBetterThan: self.random.oneIn(3) ? Double.random(in: 1...300, using: &self.random) : nil,
      maxUpdates: self.random.oneIn(4) ? Int.random(in: 1...9, using: &self.random) : nil,
      duration: self.random.oneIn(4) ? self.random.seconds(0...200) : nil,
      replay: SubscriptionParameters.Replay.allCases.randomElement(using: &self.random) ?? .fresh)
  }

  private mutating func change() -> SubscriptionChange {
    var change = SubscriptionChange()
    if self.random.oneIn(3) { change.mode = self.random.oneIn(2) ? .passive : .continuous }
    if self.random.oneIn(3) { change.minInterval = self.random.seconds(0...20) }
    if self.random.oneIn(4) { change.maxInterval = self.random.seconds(15...90) }
    if self.random.oneIn(4) { change.duration = self.random.seconds(0...100) }
    if self.random.oneIn(6) { change.onlyBetterThan = 50 }
    if self.random.oneIn(6) { change.maxUpdates = 5 }
    for parameter in [.maxInterval, .duration, .onlyBetterThan, .maxUpdates, .mode] as [SubscriptionParameter]
    where self.random.oneIn(12) { change.reset.insert(parameter) }
    return change
  }
}
