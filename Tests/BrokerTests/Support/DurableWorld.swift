import Positioning
import ReceiverPorts
import TestSupport

@testable import Broker

/// The broker with a store that takes its time and a daemon that is killed, all from one seed.
///
/// A kill loses what waits for the disk, and the actions that were to follow it; what was committed is all that the next
/// daemon knows.
struct DurableWorld {
  struct Observed: Hashable {
    let at: Instant
    let action: Action
  }

  private static let users: [UInt32] = [1001, 1002]

  private(set) var machine: BrokerMachine
  private(set) var observed: [Observed] = []
  private(set) var expectations = DurableExpectations()
  private(set) var kills = 0
  private(set) var graceful = 0
  private var now = at(1000)
  private let settings: BrokerSettings
  private(set) var disk: VirtualStore
  private(set) var turns = 0
  private var isCommittingAll = false
  private var armed: Instant?
  private var callers: [DurableCaller]
  private var receivers: [ErraticReceiver]
  private var lastSpoke = at(1000)
  private var source = SourceState.idle
  /// Clients that are to be said to have taken everything.
  private var takers: [ClientID] = []
  private var startedUnits: [DurableID] = []
  /// What the machine is to be told of what came to last, or did not.
  private var confirmations: [BrokerEvent] = []
  private var faults: SeededRandom

  init(seed: UInt64) {
    var settings = BrokerSettings.open
    settings.linger = .seconds(20)
    settings.maxSubscriptionsPerClient = 8
    settings.maxDeferredPerUser = 6
    settings.maxRegionsPerUser = 10
    settings.maxNamesPerUser = 2
    settings.inbox.events = seed.isMultiple(of: 3) ? 4 : 60
    settings.inbox.fixes = seed.isMultiple(of: 3) ? 30 : 200
    settings.maxUnstored = [6, 40, 1000, 20_000][Int(seed % 4)]
    settings.catchUpSlice = [1, 10, 1000][Int(seed % 3)]
    settings.access.rules = [.waking(DurableCaller.unit, user: "user1001")]
    settings.fixes.device = seed.isMultiple(of: 2) ? ublox.path : nil
    self.settings = settings
    self.machine = BrokerMachine(settings: settings, now: self.now)
    self.callers = (0...2).map { DurableCaller(slot: $0, seed: seed) }
    self.receivers = [ublox.path, "/dev/ttyUSB0"].map {
      ErraticReceiver(device: $0, clockOffset: 0, tellsHeading: false, seed: seed &+ UInt64($0.count))
    }
    self.faults = SeededRandom(seed: seed &* 31)
    self.disk = VirtualStore(seed: seed &* 17)
    self.begin()
  }

  // MARK: What happens

  mutating func run(steps: Int) {
    for _ in 0..<steps {
      self.advance(by: self.pause())
      if self.faults.oneIn(120) { self.changePace() }
      switch Int.random(in: 0..<200, using: &self.faults) {
      case 0: self.kill(isGraceful: self.faults.oneIn(4))
      case 1..<6: self.strike()
      case 6: self.turn(.deadlineReached)
      default: self.speak()
      }
      for index in self.callers.indices where self.faults.oneIn(3) { self.turn(self.callers[index].next()) }
      if self.faults.oneIn(3) { self.take() }
    }
  }

  /// Has every event taken, every name removed and every client leave.
  mutating func finish() {
    if let change = self.disk.calm() { self.turn(change) }
    self.commitAll()
    for index in self.callers.indices where self.callers[index].isConnected {
      self.turn(.clientDisconnected(self.callers[index].client))
      self.callers[index].cutOff()
    }
    for id in self.machine.names.keys { self.drain(id) }
    self.expectations.finished(machine: self.machine)
    for id in self.machine.names.keys {
      self.visit(id.uid) { [.removeDurable(name: id.name)] }
    }
    self.advance(by: .seconds(3600))
    self.commitAll()
    self.expectations.idle(machine: self.machine, armed: self.armed)
  }

  private mutating func drain(_ id: DurableID) {
    let client = ClientID(500_000 + UInt64(self.turns))
    self.turn(.clientConnected(client, Self.principal(id.uid)))
    self.turn(.called(CallID(client: client, serial: 1), .attachDurable(name: id.name)))
    self.commitAll()
    while !self.takers.isEmpty, self.expectations.violations.count < 100 {
      self.take()
      self.commitAll()
    }
    self.expectations.drained(id)
    self.turn(.clientDisconnected(client))
  }

  private mutating func visit(_ uid: UInt32, _ calls: () -> [Call]) {
    let client = ClientID(500_000 + UInt64(self.turns))
    self.turn(.clientConnected(client, Self.principal(uid)))
    for (serial, call) in calls().enumerated() {
      self.turn(.called(CallID(client: client, serial: UInt64(serial)), call))
    }
    self.commitAll()
    self.turn(.clientDisconnected(client))
  }

  private static func principal(_ uid: UInt32) -> Principal {
    Principal(uid: uid, gid: 100, pid: 1, user: "user\(uid)")
  }

  private mutating func pause() -> Duration {
    switch Int.random(in: 0..<100, using: &self.faults) {
    case 0..<60: .seconds(1)
    case 60..<80: .milliseconds(Int.random(in: 1...400, using: &self.faults))
    case 80..<97: .milliseconds(Int.random(in: 400...5000, using: &self.faults))
    case 97, 98: .seconds(Int.random(in: 20...200, using: &self.faults))
    default: .seconds(self.faults.oneIn(4) ? 1500 : 70)
    }
  }

  private mutating func changePace() {
    let paces: [Double] = [0, 0.5, 5, 20]
    let pace = paces.randomElement(using: &self.faults) ?? 20
    for index in self.receivers.indices { self.receivers[index].pace = pace }
  }

  private mutating func speak() {
    let index = self.faults.oneIn(8) ? 1 : 0
    let event = self.receivers[index].next(now: self.now, elapsed: self.now - self.lastSpoke)
    self.lastSpoke = self.now
    if self.source == .streaming { self.turn(.receiver(event)) }
  }

  private mutating func strike() {
    let states: [SourceState] = [
      .opening, .gpsdDown(.closed("EOF")), .receiverMissing(.silent(nil)), .streaming, .streaming, .streaming,
    ]
    let state = states.randomElement(using: &self.faults) ?? .streaming
    if self.expectations.isReceiverOn { self.changeSource(to: state) }
  }

  private mutating func changeSource(to state: SourceState) {
    self.source = state
    self.turn(.receiver(.source(state)))
  }

  /// Somebody took all that it was sent; a unit was started, or was not.
  private mutating func take() {
    if !self.takers.isEmpty { self.turn(.taken(self.takers.removeFirst())) }
    if !self.startedUnits.isEmpty {
      self.turn(.unitStarted(self.startedUnits.removeFirst(), trouble: self.faults.oneIn(2) ? nil : "refused"))
    }
  }

  private mutating func advance(by pause: Duration) {
    let end = self.now + pause
    while let armed = self.armed, armed <= end, self.expectations.violations.count < 100 {
      self.now = max(self.now, armed)
      self.turn(.deadlineReached)
    }
    self.now = end
  }

  // MARK: Life and death

  private mutating func begin() {
    self.turn(
      .receiver(.devices([ublox, ReceiverDevice(path: "/dev/ttyUSB0", driver: "NMEA0183", isActivated: true)])))
    self.turn(.deadlineReached)
  }

  private mutating func kill(isGraceful: Bool) {
    self.kills += 1
    if isGraceful {
      self.turn(.stopping)
      self.commitAll()
      self.graceful += 1
    }
    self.disk.kill()
    self.takers = []
    self.startedUnits = []
    self.confirmations = []
    self.armed = nil
    self.source = .idle
    for index in self.callers.indices { self.callers[index].cutOff() }
    self.expectations.killed()
    self.machine = BrokerMachine(settings: self.settings, stored: self.disk.kept.state, now: self.now)
    self.expectations.restarted(machine: self.machine, store: self.disk.kept)
    self.begin()
    for uid in Self.users { self.visit(uid) { [.listDurables] } }
  }

  // MARK: Turns

  private mutating func turn(_ event: BrokerEvent) {
    self.turns += 1
    if event == .deadlineReached { self.armed = nil }
    self.expectations.happened(event, now: self.now)
    let actions = self.machine.handle(event, now: self.now)
    var orders: [Bool] = []
    for action in actions {
      self.observed.append(Observed(at: self.now, action: action))
      switch action {
      case .setDeadline(let deadline): self.armed = deadline
      case .setReceiver(let on):
        orders.append(on)
        self.expectations.receiverTurned(on: on)
      case .store(let number, let changes): self.disk.take(number, changes)
      case .answer, .notify, .tellWhenTaken, .startUnit, .log, .confirm, .clear, .ask, .withdraw, .inUse:
        let isStored = if case .stored = event { true } else { false }
        self.carryOut(action, isCommitted: isStored || self.machine.commits.isEmpty)
      }
    }
    if case .taken(let client) = event { self.expectations.took(client, actions, machine: self.machine) }
    self.expectations.turned(event, machine: self.machine, armed: self.armed, now: self.now)
    for difference in self.machine.differences(from: self.disk.kept) { self.expectations.expect(false, difference) }
    for order in orders { self.changeSource(to: order ? .streaming : .idle) }
    self.confirm()
    if !self.isCommittingAll, let change = self.disk.turn() { self.turn(change) }
    self.commit()
  }

  /// Tells the machine what it asked to be told, in order, once what it asked for before is done.
  private mutating func confirm() {
    while !self.confirmations.isEmpty { self.turn(self.confirmations.removeFirst()) }
  }

  /// Has the disk take everything.
  private mutating func commitAll() {
    self.isCommittingAll = true
    defer { self.isCommittingAll = false }
    if let change = self.disk.recover() { self.turn(change) }
    while !self.disk.isIdle { self.commit(all: true) }
  }

  private mutating func commit(all: Bool = false) {
    while let batch = all ? self.disk.oldest : self.disk.due {
      self.expectations.committed(batch.changes, over: self.disk.kept)
      self.disk.commit()
      self.expectations.compare(self.disk.kept)
      for complaint in self.disk.complaints { self.expectations.expect(false, complaint) }
      self.turn(.stored(batch.number))
    }
  }

  private mutating func carryOut(_ action: Action, isCommitted: Bool) {
    switch action {
    case .answer(let call, let answer):
      self.expectations.answered(call, answer, isCommitted: isCommitted, now: self.now)
    case .notify(let client, let notification):
      self.expectations.notified(client, notification, isCommitted: isCommitted, now: self.now)
      guard case .durable(let name, let event) = notification,
        let index = self.callers.firstIndex(where: { $0.isConnected && $0.client == client })
      else { return }
      self.callers[index].took(event.id, of: name)
    case .tellWhenTaken(let client): if !self.takers.contains(client) { self.takers.append(client) }
    case .startUnit(let unit, let id):
      self.startedUnits.append(id)
      self.expectations.started(unit, for: id, store: self.disk.kept)
    case .confirm(let number, let trouble): self.confirmations.append(.confirmed(number, trouble: trouble))
    case .setReceiver, .setDeadline, .store, .log, .clear, .ask, .withdraw, .inUse: break
    }
  }
}
