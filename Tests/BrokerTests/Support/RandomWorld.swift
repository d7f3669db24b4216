import Positioning
import ReceiverPorts
import TestSupport

@testable import Broker

/// The broker among erratic receivers, rude clients and a failing gpsd, all from one seed.
///
/// Each part has its own generator, so that leaving one out changes nothing for the others.
struct RandomWorld {
  struct Observed: Hashable {
    let at: Instant
    let action: Action
  }

  private(set) var machine: BrokerMachine
  private(set) var now = at(1000)
  private(set) var observed: [Observed] = []
  private(set) var expectations: Expectations
  private var armed: Instant?
  private var settings: BrokerSettings
  private var callers: [RandomCaller]
  private var receivers: [ErraticReceiver]
  private var lastSpoke = at(1000)
  private var source = SourceState.idle
  private var faults: SeededRandom
  private var disk: VirtualStore

  /// - Parameters:
  ///   - others: how many clients there are beside the first.
  ///   - hasAnchor: whether the first stays and needs the receiver all the time.
  init(seed: UInt64, others: Int = 3, hasAnchor: Bool = false, clockOffset: Double = 0) {
    var settings = BrokerSettings.open
    settings.linger = .seconds(20)
    settings.maxRequestTime = .seconds(60)
    settings.maxRequestsPerClient = 6
    settings.maxSubscriptionsPerClient = 6
    self.settings = settings
    self.machine = BrokerMachine(settings: settings, now: self.now)
    self.expectations = Expectations(settings: settings)
    self.callers = (0...others).map { slot in
      RandomCaller(slot: UInt64(slot), isAnchor: hasAnchor && slot == 0, seed: seed)
    }
    self.receivers = [ublox.path, "/dev/ttyUSB0"].map { path in
      ErraticReceiver(
        device: path, clockOffset: clockOffset, tellsHeading: Self.tellsHeading(seed),
        seed: seed &+ UInt64(path.count))
    }
    self.faults = SeededRandom(seed: seed &* 31)
    self.disk = VirtualStore(seed: seed)
    self.turn(
      .receiver(.devices([ublox, ReceiverDevice(path: "/dev/ttyUSB0", driver: "NMEA0183", isActivated: true)])))
    // The anchor is there before anything happens that others could be part of.
    if hasAnchor { for _ in 1...2 { self.turn(self.callers[0].next()) } }
  }

  /// In every fourth world no receiver tells a heading.
  static func tellsHeading(_ seed: UInt64) -> Bool { !seed.isMultiple(of: 4) }

  /// Lets so many things happen.
  mutating func run(steps: Int, changesSettings: Bool = true) {
    for _ in 0..<steps {
      self.advance(by: self.pause())
      switch Int.random(in: 0..<100, using: &self.faults) {
      case 0..<3: self.strike()
      case 3: if changesSettings { self.changeSettings() }
      case 4: self.turn(.deadlineReached)
      default: self.speak()
      }
      // Every caller draws its turn whether or not it calls, so that one more or less moves nobody else's.
      for index in self.callers.indices where (index == 0 ? self.faults.oneIn(5) : self.isOthersTurn()) {
        self.turn(self.callers[index].next())
      }
    }
  }

  private var others = SeededRandom(seed: 4711)

  private mutating func isOthersTurn() -> Bool { self.others.oneIn(4) }

  private mutating func pause() -> Duration {
    switch Int.random(in: 0..<100, using: &self.faults) {
    case 0..<40: .seconds(1)
    case 40..<80: .milliseconds(Int.random(in: 1...400, using: &self.faults))
    case 80..<98: .milliseconds(Int.random(in: 400...5000, using: &self.faults))
    case 98: .seconds(Int.random(in: 20...200, using: &self.faults))
    default: .seconds(self.faults.oneIn(10) ? 7200 : 70)
    }
  }

  /// A receiver tells something, if reports flow.
  private mutating func speak() {
    let index = self.faults.oneIn(4) ? 1 : 0
    let event = self.receivers[index].next(now: self.now, elapsed: self.now - self.lastSpoke)
    self.lastSpoke = self.now
    if self.source == .streaming { self.turn(.receiver(event)) }
  }

  /// The path to the receiver fails, or comes back.
  private mutating func strike() {
    let states: [SourceState] = [
      .opening, .gpsdFull, .gpsdDown(.closed("EOF")), .gpsdDown(.mute), .receiverMissing(.noDevice),
      .receiverMissing(.unplugged("a")), .receiverMissing(.silent(nil)), .streaming, .streaming, .streaming,
      .streaming, .streaming,
    ]
    let state = states.randomElement(using: &self.faults) ?? .streaming
    if self.expectations.isReceiverOn { self.changeSource(to: state) }
  }

  private mutating func changeSource(to state: SourceState) {
    self.source = state
    self.turn(.receiver(.source(state)))
  }

  private mutating func changeSettings() {
    self.settings.linger = .seconds([0, 5, 20, 60].randomElement(using: &self.faults) ?? 20)
    self.settings.fixes.device = self.faults.oneIn(2) ? nil : ublox.path
    self.turn(.settingsChanged(self.settings))
  }

  private mutating func advance(by pause: Duration) {
    let end = self.now + pause
    while let armed = self.armed, armed <= end {
      self.now = max(self.now, armed)
      self.armed = nil
      self.turn(.deadlineReached)
    }
    self.now = end
  }

  /// One event, what is checked after it, and what the receiver's side makes of its orders.
  private mutating func turn(_ event: BrokerEvent) {
    let actions = self.machine.handle(event, now: self.now)
    var orders: [Bool] = []
    for action in actions {
      self.observed.append(Observed(at: self.now, action: action))
      switch action {
      case .setDeadline(let deadline): self.armed = deadline
      case .setReceiver(let on): orders.append(on)
      case .store(let number, let changes): self.disk.take(number, changes)
      case .answer, .notify, .tellWhenTaken, .startUnit, .log, .confirm, .clear, .ask, .withdraw, .inUse: break
      }
    }
    self.expectations.check(event, actions, armed: self.armed, now: self.now, machine: self.machine)
    for order in orders { self.changeSource(to: order ? .streaming : .idle) }
    if let change = self.disk.turn() { self.turn(change) }
    while let batch = self.disk.due {
      self.disk.commit()
      self.turn(.stored(batch.number))
    }
  }
}
