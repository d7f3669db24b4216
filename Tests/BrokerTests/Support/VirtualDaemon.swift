import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// The broker's machine in virtual time, with a receiver's side that follows its actions at once.
///
/// Time advances only by `advance`; deadlines that the machine armed fire on the way, each at its own moment.
struct VirtualDaemon {
  private(set) var machine: BrokerMachine
  private(set) var now: Instant
  private(set) var settings: BrokerSettings
  /// The deadline that the machine armed.
  private(set) var deadline: Instant?
  private(set) var isReceiverOn = false
  private(set) var source = SourceState.idle
  /// Whether the source follows the machine's actions; tests of outages send its events themselves.
  var sourceFollows = true
  /// The stored state.
  var store: StoreModel { self.disk.kept }
  var disk: VirtualStore
  /// The stored data of durable names.
  private var storedEvents = StoredEvents()
  /// All changes that were given to the store, in order.
  private(set) var storeChanges: [StoreChange] = []
  /// Whether the store accepts changes and commits nothing until `commitStore`.
  var holdsStore = false
  /// Why the store could not be opened when the daemon started; `nil`: it is open.
  private(set) var unopened: String?
  /// The limit of what may be sent to each client.
  private(set) var limits: [ClientID: SensitivityLimit] = [:]
  /// Whether the server's check is between the machine and its clients: an answer after a commit that its client may
  /// not have any more is refused there.
  var isGated = false
  /// The invariants that are checked after every turn.
  var invariants: [any Invariant]
  private let devices: [ReceiverDevice]
  private let firstClient: UInt64?
  private var serials: UInt64 = 0

  /// - Parameter firstClient: The client that is connected from the start, and after each restart.
  init(
    settings: BrokerSettings = BrokerSettings.open, devices: [ReceiverDevice] = [ublox], at seconds: Double = 1000,
    seed: UInt64 = 0, disk: VirtualStore = VirtualStore(), invariants: [any Invariant] = [], firstClient: UInt64? = 1
  ) {
    self.disk = disk
    self.now = at(seconds)
    self.settings = settings
    self.invariants = invariants
    self.devices = devices
    self.firstClient = firstClient
    self.machine = BrokerMachine(settings: settings, seed: seed, now: self.now)
    self.send(.receiver(.devices(devices)))
    if let firstClient { self.connect(firstClient) }
  }

  // MARK: Events

  @discardableResult
  mutating func send(_ event: BrokerEvent) -> [Action] {
    let actions = self.turn(event)
    var confirmations: [BrokerEvent] = []
    var orders: [Bool] = []
    for action in actions {
      switch action {
      case .setReceiver(let on): orders.append(on)
      case .answer, .notify, .allowSaving, .askClock, .setDeadline, .store, .reportWhenTaken, .reportStoppedReceiver,
        .startUnit,
        .log, .clear,
        .ask, .withdraw, .inUse,
        .end:
        break
      }
    }
    if let change = self.disk.turn() { confirmations.append(change) }
    while let unopened, let batch = self.disk.oldest {
      self.disk.refuse()
      confirmations.append(.stored(batch.number, error: unopened))
    }
    while !self.holdsStore, let batch = self.disk.due {
      self.commit(batch)
      confirmations.append(.stored(batch.number))
    }
    let followed = confirmations.reduce(actions.filter { if case .store = $0 { false } else { true } }) {
      $0 + self.send($1)
    }
    guard self.sourceFollows else { return followed }
    return orders.reduce(followed) { $0 + self.send(.receiver(.source($1 ? .streaming : .idle))) }
  }

  /// Lets the machine handle one event, and checks the invariants.
  private mutating func turn(_ event: BrokerEvent) -> [Action] {
    switch event {
    case .deadlineReached: self.deadline = nil
    case .settingsChanged(let settings, owners: _): self.settings = settings
    case .receiver(.source(let source)): self.source = source
    default: break
    }
    let actions = self.machine.handle(event, now: self.now)
    for action in actions {
      self.check(action, isLate: event.isStored)
      if let violation = self.storedEvents.violation(of: action, self.machine) { Issue.record("\(violation)") }
      switch action {
      case .setDeadline(let deadline): self.deadline = deadline
      case .setReceiver(let on): self.isReceiverOn = on
      case .store(let number, let changes):
        self.storeChanges += changes
        self.disk.take(number, changes)
      default: break
      }
    }
    let turn = ObservedTurn(
      event: event, actions: actions, now: self.now, armed: self.deadline, isReceiverOn: self.isReceiverOn,
      isCommitted: event.isStored || self.machine.commits.isEmpty)
    for place in self.invariants.indices { self.invariants[place].turned(turn, self.machine, self.disk.kept) }
    return actions
  }

  private mutating func commit(_ batch: VirtualStore.Batch) {
    for place in self.invariants.indices { self.invariants[place].committing(batch.changes, over: self.disk.kept) }
    self.disk.commit()
    self.storedEvents.commit(batch.changes)
    #expect(self.disk.complaints.isEmpty, "\(self.disk.complaints)")
    for place in self.invariants.indices { self.invariants[place].committed(self.disk.kept) }
  }

  /// The violated invariants.
  var violations: [String] { self.invariants.flatMap(\.violations) }

  /// Whether there are so many violations that the run can stop.
  var isHopeless: Bool { self.invariants.reduce(0) { $0 + $1.violations.count } >= 100 }

  /// The invariant of that kind.
  func invariant<Kind: Invariant>(_ kind: Kind.Type = Kind.self) -> Kind {
    for case let invariant as Kind in self.invariants { return invariant }
    preconditionFailure("no \(kind) is held against this daemon")
  }

  /// Checks an invariant against the state, if it is one of this daemon's.
  mutating func check<Kind: Invariant>(_ kind: Kind.Type, _ body: (inout Kind, VirtualDaemon) -> Void) {
    for place in self.invariants.indices {
      guard var invariant = self.invariants[place] as? Kind else { continue }
      body(&invariant, self)
      self.invariants[place] = invariant
    }
  }

  /// No client ever receives more than it may know.
  private mutating func check(_ action: Action, isLate: Bool) {
    switch action {
    case .clear(let client, let limit): self.limits[client] = limit
    case .notify(let client, let notification):
      let isAllowed = self.limits[client]?.allows(notification.sensitivity) ?? false
      #expect(isAllowed, "client \(client.value) is sent \(notification)")
    case .answer(let call, let answer):
      let isAllowed = self.limits[call.client]?.allows(answer.sensitivity) ?? false
      #expect(isAllowed || isLate && self.isGated, "client \(call.client.value) is answered \(answer)")
    default: break
    }
  }

  /// The disk works again, and stores what waits.
  @discardableResult
  mutating func recover() -> [Action] {
    _ = self.disk.recover()
    return self.send(.storeChanged(error: nil))
  }

  /// The store processes its oldest change, with or without room for it.
  @discardableResult
  mutating func commitStore(error: String? = nil) -> [Action] {
    guard let batch = self.disk.oldest else { return [] }
    if error == nil { self.commit(batch) } else { self.disk.refuse() }
    return self.send(.stored(batch.number, error: error))
  }

  /// How many changes the store has not committed.
  var heldChanges: Int { self.disk.waitingCount }

  /// The daemon is killed, and another is started with the stored state.
  @discardableResult
  mutating func restart(changing change: (inout AccessPolicy) -> Void = { _ in }) -> [Action] {
    change(&self.settings.access)
    self.kill()
    self.unopened = nil
    self.machine = BrokerMachine(settings: self.settings, stored: self.store.state, now: self.now)
    for place in self.invariants.indices { self.invariants[place].restarted(self.machine) }
    return self.start()
  }

  /// The daemon is killed, and another is started whose store cannot be opened: it knows the copy of the decisions beside
  /// it, unless that cannot be read.
  @discardableResult
  mutating func restart(unopened reason: String, isCopyReadable: Bool = true) -> [Action] {
    self.kill()
    self.unopened = reason
    let stored = isCopyReadable ? self.store.copy : StoredState.unread(because: reason)
    self.machine = BrokerMachine(settings: self.settings, stored: stored, seed: 7, now: self.now)
    return self.send(.storeUnopened(reason)) + self.start()
  }

  /// The store can be opened.
  @discardableResult
  mutating func openStore() -> [Action] {
    self.unopened = nil
    return self.send(.storeOpened(self.store.state))
  }

  private mutating func kill() {
    self.limits = [:]
    self.deadline = nil
    self.isReceiverOn = false
    self.source = .idle
    for _ in 0..<self.disk.lastCommits() { if let batch = self.disk.oldest { self.commit(batch) } }
    self.disk.kill()
    for place in self.invariants.indices { self.invariants[place].killed() }
  }

  private mutating func start() -> [Action] {
    self.send(.receiver(.devices(self.devices)))
    let actions = self.send(.deadlineReached)
    if let firstClient { self.connect(firstClient) }
    return actions
  }

  /// Advances the time; deadlines on the way fire.
  @discardableResult
  mutating func advance(by seconds: Double) -> [Action] { self.advance(to: self.now + (at(seconds) - at(0))) }

  @discardableResult
  mutating func advance(to moment: Instant) -> [Action] {
    var actions: [Action] = []
    // A machine that arms a passed deadline would loop for ever.
    while let deadline = self.deadline, deadline <= moment, !self.isHopeless {
      self.now = max(self.now, deadline)
      actions += self.send(.deadlineReached)
    }
    self.now = moment
    return actions
  }

  /// The daemon does not run for so long, as while the machine sleeps.
  @discardableResult
  mutating func skip(seconds: Double) -> [Action] {
    let gap = at(seconds) - at(0)
    self.now = self.now + gap
    return self.send(.gapEnded(gap))
  }

  /// - Parameter uid: The client's user; `nil`: one of its own.
  @discardableResult
  mutating func connect(_ client: UInt64, uid: UInt32? = nil) -> [Action] {
    let uid = uid ?? 1000 + UInt32(client)
    return self.send(.clientConnected(ClientID(client), Principal(uid: uid, gid: 100, pid: 1, user: "user\(uid)")))
  }

  /// The administrator changes the policy.
  @discardableResult
  mutating func change(_ change: (inout AccessPolicy) -> Void) -> [Action] {
    change(&self.settings.access)
    return self.send(.settingsChanged(self.settings))
  }

  /// The only answer of a call.
  mutating func answer(_ what: Call, client: UInt64 = 1) -> Answer? {
    let call = self.call(what, client: client)
    return call.actions.answers(to: call.id).first
  }

  /// Calls, and returns the actions of the same turn.
  @discardableResult
  mutating func call(_ what: Call, client: UInt64 = 1) -> (id: CallID, actions: [Action]) {
    self.serials += 1
    let id = CallID(client: ClientID(client), serial: self.serials)
    return (id, self.send(.called(id, what)))
  }

  @discardableResult
  mutating func subscribe(_ parameters: SubscriptionParameters, client: UInt64 = 1) -> [Action] {
    self.call(.subscribe(parameters), client: client).actions
  }

  /// A report that arrives now. Without `time`, its receiver's time goes with the arrival.
  @discardableResult
  mutating func fix(
    accuracy: Double? = 4, latitude: Double = 50, longitude: Double = 8, speed: Double? = nil, time: Double? = nil
  ) -> [Action] {
    let seconds = self.now.sinceBoot.seconds
    var report = position(
      seconds, time: time ?? seconds, accuracy: accuracy, latitude: latitude, longitude: longitude)
    report.speed = speed
    return self.send(.receiver(.position(report)))
  }

  @discardableResult
  mutating func noFixReport() -> [Action] {
    self.send(.receiver(.position(noFix(self.now.sinceBoot.seconds, time: self.now.sinceBoot.seconds))))
  }

  /// A fix each second, for so many seconds, from the next second on.
  @discardableResult
  mutating func stream(seconds: Int, accuracy: Double? = 4) -> [Action] {
    (0..<seconds).reduce(into: []) { actions, _ in
      actions += self.advance(by: 1)
      actions += self.fix(accuracy: accuracy)
    }
  }

  // MARK: Results

  var status: DaemonStatus { self.machine.status(for: ClientID(1), now: self.now) }
}

extension StoreModel {
  /// What is in the copy beside the database.
  fileprivate var copy: StoredState {
    var copy = StoredState()
    (copy.decisions, copy.isEnabled, copy.unread, copy.fuzzer) = (
      self.decisions, self.isEnabled, self.unread, self.fuzzer
    )
    return copy
  }
}

extension StoredState {
  fileprivate static func unread(because reason: String) -> StoredState {
    var state = StoredState()
    (state.isEnabled, state.unread) = (false, reason)
    return state
  }
}

extension BrokerEvent {
  /// Whether it makes consequences of a commit happen.
  fileprivate var isStored: Bool { if case .stored = self { true } else { false } }
}
