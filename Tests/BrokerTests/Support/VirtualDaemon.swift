import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// The broker's machine in virtual time, with a receiver's side that follows its orders at once.
///
/// Time moves only by `advance`; deadlines that the machine armed fire on the way, each at its own moment.
struct VirtualDaemon {
  private(set) var machine: BrokerMachine
  private(set) var now: Instant
  private(set) var settings: BrokerSettings
  /// What the machine asked to be woken at.
  private(set) var deadline: Instant?
  private(set) var isReceiverOn = false
  /// Whether the source answers the machine's orders; tests of outages speak for it themselves.
  var sourceFollows = true
  /// What lasts.
  var store: StoreModel { self.disk.kept }
  var disk: VirtualStore
  /// All that was given to the store, in order.
  private(set) var storeChanges: [StoreChange] = []
  /// Whether the store takes what comes and commits nothing until `commitStore`.
  var holdsStore = false
  /// What may be sent to each client.
  private(set) var clearances: [ClientID: Clearance] = [:]
  private var serials: UInt64 = 0

  init(
    settings: BrokerSettings = BrokerSettings.open, devices: [ReceiverDevice] = [ublox], at seconds: Double = 1000,
    seed: UInt64 = 0, disk: VirtualStore = VirtualStore()
  ) {
    self.disk = disk
    self.now = at(seconds)
    self.settings = settings
    self.machine = BrokerMachine(settings: settings, seed: seed, now: self.now)
    self.send(.receiver(.devices(devices)))
    self.connect(1)
  }

  // MARK: Events

  @discardableResult
  mutating func send(_ event: BrokerEvent) -> [Action] {
    if event == .deadlineReached { self.deadline = nil }
    let actions = self.machine.handle(event, now: self.now)
    var confirmations: [BrokerEvent] = []
    var orders: [Bool] = []
    for action in actions {
      self.check(action)
      switch action {
      case .setDeadline(let deadline): self.deadline = deadline
      case .setReceiver(let on):
        self.isReceiverOn = on
        orders.append(on)
      case .confirm(let number, let trouble): confirmations.append(.confirmed(number, trouble: trouble))
      case .store(let number, let changes):
        self.storeChanges += changes
        self.disk.take(number, changes)
      case .answer, .notify, .tellWhenTaken, .startUnit, .log, .clear, .ask, .withdraw, .inUse: break
      }
    }
    if let change = self.disk.turn() { confirmations.append(change) }
    while !self.holdsStore, let batch = self.disk.due {
      self.disk.commit()
      confirmations.append(.stored(batch.number))
    }
    #expect(self.disk.complaints.isEmpty, "\(self.disk.complaints)")
    let followed = confirmations.reduce(actions.filter { if case .store = $0 { false } else { true } }) {
      $0 + self.send($1)
    }
    guard self.sourceFollows else { return followed }
    return orders.reduce(followed) { $0 + self.send(.receiver(.source($1 ? .streaming : .idle))) }
  }

  /// No client is ever told more than it may know.
  private mutating func check(_ action: Action) {
    switch action {
    case .clear(let client, let clearance): self.clearances[client] = clearance
    case .notify(let client, let notification):
      let isAllowed = self.clearances[client]?.allows(notification.sensitivity) ?? false
      #expect(isAllowed, "client \(client.value) is told \(notification)")
    case .answer(let call, let answer):
      let isAllowed = self.clearances[call.client]?.allows(answer.sensitivity) ?? false
      #expect(isAllowed, "client \(call.client.value) is answered \(answer)")
    default: break
    }
  }

  /// The disk works again, and takes what waits.
  @discardableResult
  mutating func recover() -> [Action] {
    _ = self.disk.recover()
    return self.send(.storeChanged(trouble: nil))
  }

  /// The store comes to the oldest change that it holds, and has room for it or not.
  @discardableResult
  mutating func commitStore(trouble: String? = nil) -> [Action] {
    guard let batch = self.disk.oldest else { return [] }
    if trouble == nil { self.disk.commit() } else { self.disk.refuse() }
    return self.send(.stored(batch.number, trouble: trouble))
  }

  /// How much the store holds that it has not committed.
  var heldChanges: Int { self.disk.waitingCount }

  /// The daemon dies, and another is started on what was stored.
  @discardableResult
  mutating func restart(changing change: (inout AccessPolicy) -> Void = { _ in }) -> [Action] {
    change(&self.settings.access)
    self.clearances = [:]
    self.deadline = nil
    self.isReceiverOn = false
    self.disk.kill()
    self.machine = BrokerMachine(settings: self.settings, stored: self.store.state, now: self.now)
    self.send(.receiver(.devices([ublox])))
    let actions = self.send(.deadlineReached)
    self.connect(1)
    return actions
  }

  /// Lets time pass, and the deadlines on the way fire.
  @discardableResult
  mutating func advance(by seconds: Double) -> [Action] { self.advance(to: self.now + (at(seconds) - at(0))) }

  @discardableResult
  mutating func advance(to moment: Instant) -> [Action] {
    var actions: [Action] = []
    while let deadline = self.deadline, deadline <= moment {
      self.now = max(self.now, deadline)
      actions += self.send(.deadlineReached)
    }
    self.now = moment
    return actions
  }

  /// - Parameter uid: the client's user; `nil`: one of its own.
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

  /// The one answer of a call.
  mutating func answer(_ what: Call, client: UInt64 = 1) -> Answer? {
    let call = self.call(what, client: client)
    return call.actions.answers(to: call.id).first
  }

  /// Calls, and returns what came of it in the same turn.
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

  // MARK: What came of it

  var status: Status { self.machine.status(for: ClientID(1), now: self.now) }
}
