import Positioning

@testable import Broker

/// A client that registers, sends commands, attaches and acknowledges at random, correctly or not, and leaves without
/// notice.
struct DurableCaller: Caller {
  static let names = ["a", "b", "c"]
  static let regions = ["r1", "r2", "r3"]
  static let unit = "a.service"

  let slot: UInt64
  private var client = ClientID(0)
  private var isConnected = false
  private var random: SeededRandom
  private var serial: UInt64 = 0
  private var generation: UInt64 = 0
  /// The newest event that it was sent, for each name.
  private var received: [String: UInt64] = [:]

  init(slot: UInt64, seed: UInt64) {
    self.slot = slot
    self.random = SeededRandom(seed: seed &* 31 &+ slot &* 7919)
  }

  /// Two of three belong to one user.
  var uid: UInt32 { self.slot < 2 ? 1001 : 1002 }

  mutating func next() -> [BrokerEvent] {
    guard self.isConnected else {
      self.isConnected = true
      self.generation += 1
      self.client = ClientID(self.slot + 100 * self.generation)
      let principal = Principal(uid: self.uid, gid: 100, pid: Int32(self.slot), user: "user\(self.uid)")
      return [.clientConnected(self.client, principal)]
    }
    if self.random.oneIn(40) { return self.leave() }
    self.serial += 1
    return [.called(CallID(client: self.client, serial: self.serial), self.call())]
  }

  mutating func hear(_ action: Action) {
    if case .notify(self.client, .durable(let name, let event)) = action, self.isConnected {
      self.received[name] = event.id
    }
  }

  mutating func cutOff() { self.isConnected = false }

  mutating func leave() -> [BrokerEvent] {
    defer { self.isConnected = false }
    return self.isConnected ? [.clientDisconnected(self.client)] : []
  }

  private mutating func call() -> Call {
    switch Int.random(in: 0..<36, using: &self.random) {
    case 0: .getFix(FixRequest(timeout: self.random.seconds(1...40)))
    case 1, 2, 3: .subscribe(self.parameters(isDurable: false))
    case 4, 5: .subscribe(self.parameters(isDurable: true), durable: self.durable())
    case 6, 7, 8, 9: .commandSubscription(number: self.number(), self.order())
    case 10, 11: .commandDurable(name: self.name(), self.order())
    case 12, 13: .updateSubscription(number: self.number(), self.change())
    case 14, 15: .cancelSubscription(number: self.number())
    case 16, 17: .subscribeVisits(durable: self.random.oneIn(2) ? nil : self.durable())
    case 18, 19, 20, 21: .addRegion(self.region(), durable: self.random.oneIn(3) ? nil : self.durable())
    case 22: .removeRegion(id: self.regionID(), durable: self.random.oneIn(2) ? nil : self.name())
    case 23: .regionState(id: self.regionID(), durable: self.random.oneIn(2) ? nil : self.name())
    case 24: .listRegions(durable: self.random.oneIn(2) ? nil : self.name())
    case 25: .listDurables()
    case 26: self.random.oneIn(4) ? .removeDurable(name: self.name()) : .listSubscriptions()
    case 27, 28, 29, 30: self.attach()
    default: self.acknowledge()
    }
  }

  private mutating func attach() -> Call {
    let name = self.name()
    return .attachDurable(name: name, sinceEvent: self.random.oneIn(4) ? self.event(of: name) : nil)
  }

  private mutating func acknowledge() -> Call {
    let name = self.name()
    return .acknowledgeDurable(name: name, event: self.event(of: name))
  }

  /// Usually the newest that it was sent, sometimes one that another was sent, or nobody.
  private mutating func event(of name: String) -> UInt64 {
    if self.random.oneIn(4) { return UInt64.random(in: 0...40, using: &self.random) }
    return self.received[name] ?? 0
  }

  // MARK: Parameters

  private mutating func name() -> String { Self.names.randomElement(using: &self.random) ?? "a" }

  private mutating func regionID() -> String { Self.regions.randomElement(using: &self.random) ?? "r1" }

  private mutating func number() -> Int { Int.random(in: 1...8, using: &self.random) }

  private mutating func order() -> SubscriptionCommand {
    SubscriptionCommand.allCases.randomElement(using: &self.random) ?? .flush
  }

  private mutating func durable() -> DurableRequest {
    DurableRequest(name: self.name(), wake: self.random.oneIn(4) ? Self.unit : nil)
  }

  private mutating func region() -> Region {
    let center = Coordinate(
      latitude: 50 + Double.random(in: -0.002...0.002, using: &self.random),
      longitude: 8 + Double.random(in: -0.002...0.002, using: &self.random))
    let kinds: [Set<RegionEventKind>] = [
      [.enter, .exit], [.enter, .exit, .crossed], [.enter, .exit, .dwell], [.enter, .exit, .dwell, .crossed],
    ]
    return Region(
      id: self.regionID(), shape: .circle(center: center, radius: Double.random(in: 20...250, using: &self.random)),
      notify: kinds.randomElement(using: &self.random) ?? [.enter, .exit], dwellTime: self.random.seconds(1...60),
      latency: self.random.oneIn(4) ? self.random.seconds(60...900) : nil,
      expiresIn: self.random.oneIn(4) ? self.random.seconds(1...600) : nil,
      initial: InitialReport.allCases.randomElement(using: &self.random) ?? .none)
  }

  private mutating func parameters(isDurable: Bool) -> SubscriptionParameters {
    // Sometimes a mode that cannot be durable.
    let modes: [SubscriptionParameters.Mode] =
      isDurable && !self.random.oneIn(10)
      ? [.significant, .deferred] : [.continuous, .significant, .passive, .deferred]
    let mode = modes.randomElement(using: &self.random) ?? .deferred
    return SubscriptionParameters(
      mode: mode, minInterval: self.random.oneIn(2) ? .zero : self.random.seconds(0...5),
      maxInterval: self.random.oneIn(4) ? self.random.seconds(5...60) : nil,
      onlyBetterThan: self.random.oneIn(5) ? 50 : nil,
      maxUpdates: self.random.oneIn(6) ? Int.random(in: 1...9, using: &self.random) : nil,
      duration: self.random.oneIn(6) ? self.random.seconds(1...300) : nil,
      deferredDistance: self.random.oneIn(2) ? Double.random(in: 20...500, using: &self.random) : nil,
      deferredTimeout: self.random.oneIn(4) ? nil : self.random.seconds(1...60),
      significantDistance: Double.random(in: 10...500, using: &self.random),
      significantInterval: self.random.seconds(1...200), acquire: mode == .significant ? self.acquisition() : nil,
      activity: Activity.allCases.randomElement(using: &self.random) ?? .other, autoPause: self.random.oneIn(3),
      replay: SubscriptionParameters.Replay.allCases.randomElement(using: &self.random) ?? .fresh)
  }

  private mutating func acquisition() -> Acquisition? {
    guard self.random.oneIn(2) else { return nil }
    let desired = Double.random(in: 2...20, using: &self.random)
    return Acquisition(
      budget: self.random.seconds(1...30), desiredAccuracy: desired,
      acceptableAccuracy: self.random.oneIn(3) ? nil : max(10, desired))
  }

  private mutating func change() -> SubscriptionChange {
    var change = SubscriptionChange()
    if self.random.oneIn(2) {
      change.mode = SubscriptionParameters.Mode.allCases.randomElement(using: &self.random)
      change.deferredTimeout = self.random.oneIn(3) ? nil : .seconds(20)
    }
    if self.random.oneIn(3) { change.autoPause = self.random.oneIn(2) }
    if let parameter = SubscriptionParameter.allCases.randomElement(using: &self.random), self.random.oneIn(4) {
      change.reset.insert(parameter)
    }
    if self.random.oneIn(4) { change.duration = self.random.seconds(0...200) }
    if self.random.oneIn(4) { change.maxUpdates = Int.random(in: 1...20, using: &self.random) }
    return change
  }
}
