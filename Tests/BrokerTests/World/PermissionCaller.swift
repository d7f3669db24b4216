import Positioning

@testable import Broker

/// Clients of three users and of root, with agents, administrators who change the rules, and a system that does not
/// know some users for a while.
struct PermissionCaller: Caller {
  private static let users: ClosedRange<UInt32> = 1001...1003

  private var random: SeededRandom
  /// The administrator's present settings.
  private var settings: BrokerSettings
  private var connected: [ClientID] = []
  private var prompts: [(agent: ClientID, id: PromptID)] = []
  private var newest: UInt64 = 10
  private var serial: UInt64 = 0

  init(seed: UInt64, settings: BrokerSettings) {
    self.random = SeededRandom(seed: seed)
    self.settings = settings
  }

  mutating func next() -> [BrokerEvent] {
    switch Int.random(in: 0..<12, using: &self.random) {
    case 0: self.connect()
    case 1: self.disconnect()
    case 2: self.changeRules()
    case 3: self.answerPrompt()
    case 4: self.administer()
    case 5: self.learnOwner()
    default: self.ask(self.call())
    }
  }

  mutating func hear(_ action: Action) {
    switch action {
    case .ask(let agent, let prompt): self.prompts.append((agent, prompt.id))
    case .withdraw(let agent, let id): self.prompts.removeAll { $0.agent == agent && $0.id == id }
    default: break
    }
  }

  mutating func cutOff() { (self.connected, self.prompts) = ([], []) }

  mutating func leave() -> [BrokerEvent] {
    defer { self.cutOff() }
    return self.connected.map { .clientDisconnected($0) }
  }

  // MARK: What happens

  private mutating func connect() -> [BrokerEvent] {
    guard self.connected.count < 8 else { return [] }
    self.newest += 1
    let client = ClientID(self.newest)
    self.connected.append(client)
    let uid: UInt32 = self.one(of: [0] + Self.users)
    let connection = BrokerEvent.clientConnected(client, Principal(uid: uid, gid: 100, pid: 1, user: "user\(uid)"))
    return [connection] + (self.random.oneIn(2) ? self.ask(.registerAgent()) : [])
  }

  private mutating func disconnect() -> [BrokerEvent] {
    guard let place = self.connected.indices.randomElement(using: &self.random) else { return [] }
    let client = self.connected.remove(at: place)
    self.prompts.removeAll { $0.agent == client }
    return [.clientDisconnected(client)]
  }

  private mutating func changeRules() -> [BrokerEvent] {
    self.settings.access.rules = Self.users.compactMap { uid in
      guard self.random.oneIn(2) else { return nil }
      return .granting(
        self.one(of: [nil, .deny, .whenInUse, .always]), self.precision(), user: "user\(uid)",
        minInterval: self.one(of: [0, 0, 30]), agent: self.one(of: AgentScope.allCases + [.all, .all]))
    }
    self.settings.access.fallback = self.one(of: AccessPolicy.Fallback.allCases + [.ask, .ask, .ask, .ask])
    self.settings.access.isEnabled = !self.random.oneIn(8)
    return [.settingsChanged(self.settings)]
  }

  private mutating func answerPrompt() -> [BrokerEvent] {
    guard let place = self.prompts.indices.randomElement(using: &self.random) else { return [] }
    let prompt = self.prompts.remove(at: place)
    let answer = PromptAnswer(
      isAllowed: !self.random.oneIn(3), level: .always, precision: self.precision(),
      isRemembered: self.random.oneIn(2))
    return [.promptAnswered(prompt.id, by: prompt.agent, self.random.oneIn(5) ? nil : answer)]
  }

  private mutating func administer() -> [BrokerEvent] {
    let uid = UInt32.random(in: Self.users, using: &self.random)
    let calls: [Call] = [
      .grant(uid: uid, user: "user\(uid)", self.one(of: [nil, .whenInUse, .always]), self.precision()),
      .revoke(uid: uid), .setEnabled(!self.random.oneIn(3)), .listClients(), .listGrants(),
    ]
    return self.ask(self.one(of: calls))
  }

  /// The system does not know a user for a while.
  private mutating func learnOwner() -> [BrokerEvent] {
    let uid = UInt32.random(in: Self.users, using: &self.random)
    return [.ownersLearned([uid: self.random.oneIn(3) ? .nobody : .user("user\(uid)", groups: [])])]
  }

  /// A call of any connected client.
  private mutating func ask(_ what: Call) -> [BrokerEvent] {
    guard let client = self.connected.randomElement(using: &self.random) else { return [] }
    self.serial += 1
    return [.called(CallID(client: client, serial: self.serial), what)]
  }

  private mutating func call() -> Call {
    let home = Coordinate(latitude: 50, longitude: 8)
    let radius: Double = self.one(of: [200, 5000])
    let durable = self.random.oneIn(2) ? DurableRequest(name: "log") : nil
    return self.one(of: [
      .getFix(FixRequest(timeout: .seconds(30), delaysUntilAuthorized: self.random.oneIn(2))),
      .getFix(FixRequest(accuracy: .meters(radius))), .lastFix(), .subscribe(SubscriptionParameters()),
      .subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(20)), durable: durable),
      .subscribe(SubscriptionParameters(mode: .significant, replay: .any)), .sky(), .subscribeSky(minInterval: .zero),
      .getHeading(HeadingRequest()), .subscribeVisits(durable: durable),
      .addRegion(Region(id: "home", shape: .circle(center: home, radius: radius), initial: .always), durable: durable),
      .regionState(id: "home", durable: durable?.name), .listRegions(), .listDurables(), .attachDurable(name: "log"),
      .acknowledgeDurable(name: "log", event: 1), .removeDurable(name: "log"), .registerAgent(), .authorization(),
      .requestAuthorization(AuthorizationRequest(level: .always, isForced: self.random.oneIn(2))),
      .status(), .subscribeStatus(), .listSubscriptions(), .listRequests(), .cancelSubscription(number: 1),
      .commandSubscription(number: 1, .acquire), .commandSubscription(number: 2, .pause),
    ])
  }

  private mutating func precision() -> Precision { self.random.oneIn(2) ? .precise : .reduced }

  private mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &self.random)]
  }
}
