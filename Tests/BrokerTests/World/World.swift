import Positioning
import ReceiverPorts
import TestSupport

@testable import Broker

/// A broker with callers, erratic receivers, a gpsd that fails, a slow store and a daemon that is killed, all from one
/// seed; callers and invariants are parameters.
///
/// Each part has its own random generator, so that leaving one out changes nothing for the others.
struct World {
  struct Plan {
    var settings = BrokerSettings.open
    var callers: [any Caller]
    /// Each of them calls once in so many steps.
    var callsOnceIn = 4
    var invariants: [any Invariant]
    /// The error of the receivers' clocks, seconds.
    var clockOffset = 0.0
    var reportsHeading = true
    /// The daemon is killed once in so many steps; `nil`: never.
    var killedOnceIn: Int?
    /// The users whose names are listed first after a kill.
    var users: [UInt32] = []
    /// Whether an administrator changes settings of the receiver.
    var changesSettings = false
    /// Whether permission is withdrawn while answers wait for the disk.
    var isGated = false
  }

  private(set) var daemon: VirtualDaemon
  private(set) var kills = 0
  private let plan: Plan
  private var callers: [any Caller]
  private var receivers: [ErraticReceiver]
  private var lastSpoke: Instant
  private var faults: SeededRandom
  private var others = SeededRandom(seed: 4711)
  /// Clients whose reading must be reported.
  private(set) var takers: [ClientID] = []
  private var startedUnits: [DurableID] = []
  private var visitors: UInt64 = 500_000

  init(seed: UInt64, _ plan: Plan) {
    let devices = [ublox, ReceiverDevice(path: "/dev/ttyUSB0", driver: "NMEA0183", isActivated: true)]
    self.plan = plan
    self.callers = plan.callers
    self.receivers = devices.map {
      ErraticReceiver(
        device: $0.path, clockOffset: plan.clockOffset, reportsHeading: plan.reportsHeading,
        seed: seed &+ UInt64($0.path.count))
    }
    self.faults = SeededRandom(seed: seed &* 31)
    self.daemon = VirtualDaemon(
      settings: plan.settings, devices: devices, seed: seed, disk: VirtualStore(seed: seed &* 17),
      invariants: plan.invariants, firstClient: nil)
    self.daemon.isGated = plan.isGated
    self.lastSpoke = self.daemon.now
  }

  var violations: [String] { self.daemon.violations }

  /// One of the invariants, and what it has seen.
  func invariant<Kind: Invariant>(_ kind: Kind.Type = Kind.self) -> Kind { self.daemon.invariant(kind) }

  /// Checks an invariant against the state, if it is one of this world's.
  mutating func check<Kind: Invariant>(_ kind: Kind.Type, _ body: (inout Kind, VirtualDaemon) -> Void) {
    self.daemon.check(kind, body)
  }

  // MARK: Events

  /// Runs so many steps.
  mutating func run(steps: Int) {
    for _ in 0..<steps where !self.daemon.isHopeless {
      self.wait(for: self.pause())
      if self.faults.oneIn(120) { self.changePace() }
      if let often = self.plan.killedOnceIn, self.faults.oneIn(often) { self.kill() }
      switch Int.random(in: 0..<100, using: &self.faults) {
      case 0..<3: self.strike()
      case 3: if self.plan.changesSettings { self.changeSettings() }
      case 4: self.turn(.deadlineReached)
      default: self.speak()
      }
      // Every caller draws its random number whether or not it calls, so that one more or less changes nothing for
      // others.
      for place in self.callers.indices {
        if place == 0 ? self.faults.oneIn(self.plan.callsOnceIn) : self.others.oneIn(self.plan.callsOnceIn) {
          self.call(place)
        }
      }
      if self.faults.oneIn(3) { self.take() }
    }
  }

  /// One of the callers makes its next call.
  mutating func call(_ place: Int) {
    for event in self.callers[place].next() { self.turn(event) }
  }

  /// The administrator changes the rules.
  mutating func change(_ change: (inout AccessPolicy) -> Void) { self.hear(self.daemon.change(change)) }

  mutating func turn(_ event: BrokerEvent) { self.hear(self.daemon.send(event)) }

  mutating func wait(for pause: Duration) { self.hear(self.daemon.advance(to: self.daemon.now + pause)) }

  private mutating func hear(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .reportWhenTaken(let client): if !self.takers.contains(client) { self.takers.append(client) }
      case .startUnit(_, let id): self.startedUnits.append(id)
      default: break
      }
      for place in self.callers.indices { self.callers[place].hear(action) }
    }
  }

  private mutating func pause() -> Duration {
    switch Int.random(in: 0..<100, using: &self.faults) {
    case 0..<50: .seconds(1)
    case 50..<80: .milliseconds(Int.random(in: 1...400, using: &self.faults))
    case 80..<97: .milliseconds(Int.random(in: 400...5000, using: &self.faults))
    case 97, 98: .seconds(Int.random(in: 20...200, using: &self.faults))
    default: .seconds([70, 70, 70, 1500, 7200].randomElement(using: &self.faults) ?? 70)
    }
  }

  private mutating func changePace() {
    let paces: [Double] = [0, 0.5, 5, 20]
    let pace = paces.randomElement(using: &self.faults) ?? 20
    for place in self.receivers.indices { self.receivers[place].pace = pace }
  }

  /// A receiver reports something, if reports flow.
  private mutating func speak() {
    let place = self.faults.oneIn(6) ? 1 : 0
    let now = self.daemon.now
    let event = self.receivers[place].next(now: now, elapsed: now - self.lastSpoke)
    self.lastSpoke = now
    if self.daemon.source == .streaming { self.turn(.receiver(event)) }
  }

  /// The path to the receiver fails, or comes back.
  private mutating func strike() {
    let states: [SourceState] = [
      .opening, .gpsdFull, .gpsdDown(.closed("EOF")), .gpsdDown(.mute), .receiverMissing(.noDevice),
      .receiverMissing(.unplugged("a")), .receiverMissing(.silent(nil)), .streaming, .streaming, .streaming,
      .streaming, .streaming,
    ]
    let state = states.randomElement(using: &self.faults) ?? .streaming
    if self.daemon.isReceiverOn { self.turn(.receiver(.source(state))) }
  }

  private mutating func changeSettings() {
    var settings = self.daemon.settings
    settings.power.linger = .seconds([0, 5, 20, 60].randomElement(using: &self.faults) ?? 20)
    settings.fixes.device = self.faults.oneIn(2) ? nil : ublox.path
    self.turn(.settingsChanged(settings))
  }

  /// A client has read everything that it was sent; a unit was started, or was not.
  mutating func take() {
    if !self.takers.isEmpty { self.turn(.taken(self.takers.removeFirst())) }
    if !self.startedUnits.isEmpty {
      self.turn(.unitStarted(self.startedUnits.removeFirst(), error: self.faults.oneIn(2) ? nil : "refused"))
    }
  }

  // MARK: Kill and end

  /// Waiting changes are lost, with the actions that depend on them: the next daemon knows only what was committed.
  private mutating func kill() {
    self.kills += 1
    if self.faults.oneIn(4) {
      self.turn(.stopping)
      self.commitAll()
    }
    self.takers = []
    self.startedUnits = []
    for place in self.callers.indices { self.callers[place].cutOff() }
    self.hear(self.daemon.restart())
    for uid in self.plan.users { self.visit(uid) { [.listDurables()] } }
  }

  /// The daemon is killed, and the next one cannot open its store until `openStore`.
  mutating func restart(unopened reason: String) {
    self.takers = []
    self.startedUnits = []
    for place in self.callers.indices { self.callers[place].cutOff() }
    self.hear(self.daemon.restart(unopened: reason))
  }

  mutating func openStore() { self.hear(self.daemon.openStore()) }

  /// Replaces the invariants.
  mutating func observe(with invariants: [any Invariant]) { self.daemon.invariants = invariants }

  /// All clients leave.
  mutating func leave() {
    for place in self.callers.indices {
      for event in self.callers[place].leave() { self.turn(event) }
    }
  }

  /// From now on the disk stores everything at once.
  mutating func calm() {
    if let change = self.daemon.disk.calm() { self.turn(change) }
    self.commitAll()
  }

  /// Lets the disk store everything.
  mutating func commitAll() {
    if let change = self.daemon.disk.recover() { self.turn(change) }
    while self.daemon.heldChanges > 0 { self.hear(self.daemon.commitStore()) }
  }

  /// A client of a user connects, calls, waits until all is stored, and leaves.
  mutating func visit(_ uid: UInt32, _ calls: () -> [Call], meanwhile: (inout World) -> Void = { _ in }) {
    self.visitors += 1
    let client = ClientID(self.visitors)
    self.turn(.clientConnected(client, Principal(uid: uid, gid: 100, pid: 1, user: "user\(uid)")))
    for (serial, call) in calls().enumerated() {
      self.turn(.called(CallID(client: client, serial: UInt64(serial)), call))
    }
    self.commitAll()
    meanwhile(&self)
    self.turn(.clientDisconnected(client))
  }
}
