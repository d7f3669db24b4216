import Positioning
import TestSupport

@testable import Broker

/// Clients of three users, agents, administrators and a receiver, all at random: what one is told is held against what it
/// may know by `VirtualDaemon`, and what must hold after every turn here.
struct PermissionWorld {
  private(set) var daemon: VirtualDaemon
  private(set) var violations: [String] = []
  private(set) var told = (precise: 0, reduced: 0, changes: 0, prompts: 0)
  private var random: SeededRandom
  /// The calls without an answer.
  private var waiting: Set<CallID> = []
  private var connected: Set<UInt64> = [1]
  private var prompts: [(agent: UInt64, id: PromptID)] = []
  private var nextClient: UInt64 = 10

  init(seed: UInt64) {
    self.random = SeededRandom(seed: seed)
    var settings = BrokerSettings()
    settings.linger = .seconds(20)
    settings.maxRequestTime = .seconds(100)
    // In some worlds there is room for little.
    settings.maxUnstored = seed.isMultiple(of: 4) ? 3 : 1000
    settings.catchUpSlice = seed.isMultiple(of: 8) ? 1 : 1000
    self.daemon = VirtualDaemon(settings: settings, seed: seed, disk: VirtualStore(seed: seed))
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps { self.step() }
    self.finish()
  }

  private mutating func step() {
    switch Int.random(in: 0..<20, using: &self.random) {
    case 0: self.connect()
    case 1: self.disconnect()
    case 2: self.changeRules()
    case 3: self.answerPrompt()
    case 4: self.administer()
    case 5 where Int.random(in: 0..<4, using: &self.random) == 0: self.restart()
    case 6...11: self.call()
    case 12: self.learnOwner()
    default:
      self.hear(self.daemon.advance(by: Double.random(in: 0.1...30, using: &self.random)))
      self.hear(self.daemon.fix(accuracy: Double.random(in: 1...3000, using: &self.random)))
    }
    self.check()
  }

  // MARK: What happens

  private mutating func connect() {
    guard self.connected.count < 8 else { return }
    self.nextClient += 1
    self.connected.insert(self.nextClient)
    // 1001 to 1003, and root.
    let uid: UInt32 = self.one(of: [0, 1001, 1002, 1003])
    // What the store has made last meanwhile is heard as well.
    self.hear(self.daemon.connect(self.nextClient, uid: uid))
    if Bool.random(using: &self.random) { self.ask(.registerAgent, of: self.nextClient) }
  }

  private mutating func disconnect() {
    guard let client = self.connected.sorted().randomElement(using: &self.random) else { return }
    self.connected.remove(client)
    self.waiting = self.waiting.filter { $0.client != ClientID(client) }
    self.prompts.removeAll { $0.agent == client }
    self.hear(self.daemon.send(.clientDisconnected(ClientID(client))))
  }

  private mutating func changeRules() {
    var rules: [AccessRule] = []
    for uid in 1001...1003 where Bool.random(using: &self.random) {
      let grant: AccessRule.Grant? = self.one(of: [nil, .deny, .whenInUse, .always])
      rules.append(
        .granting(
          grant, Bool.random(using: &self.random) ? .precise : .reduced, user: "user\(uid)",
          minInterval: self.one(of: [0, 0, 30]),
          agent: self.one(of: AgentScope.allCases + [.all, .all])))
    }
    let fallback = self.one(of: AccessPolicy.Fallback.allCases + [.ask, .ask, .ask, .ask])
    let isEnabled = Int.random(in: 0..<8, using: &self.random) > 0
    self.hear(
      self.daemon.change { policy in
        policy.rules = rules
        policy.fallback = fallback
        policy.isEnabled = isEnabled
      })
  }

  private mutating func answerPrompt() {
    guard let place = self.prompts.indices.randomElement(using: &self.random) else { return }
    let prompt = self.prompts.remove(at: place)
    let answer =
      Int.random(in: 0..<5, using: &self.random) == 0
      ? nil
      : PromptAnswer(
        isAllowed: Int.random(in: 0..<3, using: &self.random) > 0, level: .always,
        precision: Bool.random(using: &self.random) ? .precise : .reduced,
        isRemembered: Bool.random(using: &self.random))
    self.hear(self.daemon.send(.promptAnswered(prompt.id, by: ClientID(prompt.agent), answer)))
  }

  private mutating func administer() {
    let uid = UInt32.random(in: 1001...1003, using: &self.random)
    let level: AuthorizationLevel? = self.one(of: [nil, .whenInUse, .always])
    let calls: [Call] = [
      .grant(uid: uid, user: "user\(uid)", level, Bool.random(using: &self.random) ? .precise : .reduced),
      .revoke(uid: uid), .setEnabled(Int.random(in: 0..<3, using: &self.random) > 0), .listClients, .listGrants,
    ]
    self.ask(self.one(of: calls))
  }

  /// The system does not know a user for a while.
  private mutating func learnOwner() {
    let uid = UInt32.random(in: 1001...1003, using: &self.random)
    let owner: NameOwner = self.one(of: [.nobody, .user("user\(uid)", groups: []), .user("user\(uid)", groups: [])])
    self.hear(self.daemon.send(.ownersLearned([uid: owner])))
  }

  private mutating func restart() {
    self.waiting = []
    self.prompts = []
    self.connected = [1]
    self.hear(self.daemon.restart())
  }

  private mutating func call() {
    let home = Coordinate(latitude: 50, longitude: 8)
    let radius: Double = self.one(of: [200, 5000])
    let durable = Bool.random(using: &self.random) ? DurableRequest(name: "log") : nil
    let calls: [Call] = [
      .getFix(FixRequest(timeout: .seconds(30), delaysUntilAuthorized: Bool.random(using: &self.random))),
      .getFix(FixRequest(accuracy: .meters(radius))), .lastFix, .subscribe(SubscriptionParameters()),
      .subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(20)), durable: durable),
      .subscribe(SubscriptionParameters(mode: .significant, replay: .any)), .sky, .subscribeSky(minInterval: .zero),
      .getHeading(HeadingRequest()), .subscribeVisits(durable: durable),
      .addRegion(Region(id: "home", shape: .circle(center: home, radius: radius), initial: .always), durable: durable),
      .regionState(id: "home", durable: durable?.name), .listRegions(), .listDurables, .attachDurable(name: "log"),
      .acknowledgeDurable(name: "log", event: 1), .removeDurable(name: "log"), .registerAgent, .authorization,
      .requestAuthorization(AuthorizationWish(level: .always, isForced: Bool.random(using: &self.random))),
      .status, .subscribeStatus, .listSubscriptions, .listRequests, .cancelSubscription(number: 1),
      .steerSubscription(number: 1, .acquire), .steerSubscription(number: 2, .pause),
    ]
    self.ask(self.one(of: calls))
  }

  private mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &self.random)]
  }

  private mutating func ask(_ what: Call) {
    if let client = self.connected.sorted().randomElement(using: &self.random) { self.ask(what, of: client) }
  }

  private mutating func ask(_ what: Call, of client: UInt64) {
    let (id, actions) = self.daemon.call(what, client: client)
    self.waiting.insert(id)
    self.hear(actions)
  }

  private mutating func hear(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .answer(let call, let answer):
        // What follows a commit finds that its client has left.
        if self.waiting.remove(call) == nil, self.daemon.machine.clients[call.client] != nil {
          self.violations.append("a second answer: \(answer)")
        }
        self.count(answer.sensitivity)
      case .notify(_, .authorization(let new, let previous)):
        self.told.changes += 1
        if new == previous { self.violations.append("a change to the same") }
      case .notify(_, let notification): self.count(notification.sensitivity)
      case .ask(let agent, let prompt):
        self.told.prompts += 1
        self.prompts.append((agent.value, prompt.id))
      case .withdraw(let agent, let id): self.prompts.removeAll { $0.agent == agent.value && $0.id == id }
      default: break
      }
    }
  }

  private mutating func count(_ sensitivity: Sensitivity) {
    switch sensitivity {
    case .open: break
    case .reduced: self.told.reduced += 1
    case .precise: self.told.precise += 1
    }
  }

  // MARK: What must hold

  private mutating func check() {
    let machine = self.daemon.machine
    func expect(_ isTrue: Bool, _ words: @autoclosure () -> String) {
      if !isTrue { self.violations.append(words()) }
    }
    // A change that is to last goes on though the client that asked for it leaves.
    let storing = (machine.commits.waitingCalls + machine.permissions.waitingCalls).count {
      machine.clients[$0.client] != nil
    }
    let waiting = machine.requestCount + storing
    expect(waiting == self.waiting.count, "\(waiting) wait, \(self.waiting.count) have no answer")
    let views = machine.clients.values.map(\.access.view) + machine.names.all.map(\.view)
    for key in machine.views.allKeys {
      let holders = machine.views[key].holders
      expect(holders == views.count { $0 == key }, "\(holders) of a view that \(views.count { $0 == key }) see")
    }
    for subscription in machine.positions.all {
      expect(subscription.view == machine.view(of: subscription.id.client), "a subscription in another's view")
      expect(
        (subscription.state == .suspended) == (subscription.view == nil), "suspended against its permission")
    }
    for request in machine.requests.all {
      expect(request.view == machine.view(of: request.call.client), "a request in another's view")
    }
    for parked in machine.parked.all {
      let uid = machine.clients[parked.call.client]?.principal.uid
      expect(uid.map { machine.desk.open[$0] != nil } ?? false, "waits for an answer to no question")
    }
    for open in machine.desk.open.values {
      expect(open.isAnswered || !open.agents.isEmpty, "a question that nobody has")
      // Who answered may leave before the answer is kept.
      let isAnyGone = open.agents.contains { !machine.agents.contains($0) }
      expect(open.isAnswered || !isAnyGone, "a question to one who is no agent")
    }
    for name in machine.names.all where name.view == nil && !name.isSuspended {
      expect(name.inbox.events.isEmpty, "events wait for somebody who may know nothing")
    }
    expect(!machine.needs.isNeeded || machine.planner.isOn, "needed, and off")
    for difference in machine.differences(from: self.daemon.store) { expect(false, difference) }
  }

  /// Everybody may know nothing any more: nothing is asked of the receiver.
  private mutating func finish() {
    self.hear(self.daemon.change { $0.isEnabled = false })
    self.hear(self.daemon.advance(by: 130))
    self.check()
    if self.daemon.isReceiverOn { self.violations.append("the receiver is on for nobody") }
    if !self.waiting.isEmpty { self.violations.append("\(self.waiting.count) calls were never answered") }
  }
}
