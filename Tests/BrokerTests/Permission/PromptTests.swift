import Positioning
import TestSupport
import Testing

@testable import Broker

/// Prompts: who is asked, whose answer counts, and that no call waits in vain.
@Suite struct PromptTests {
  /// Client 1 is of user 1001, without a matching rule; clients 8 and 9 are agents of all users.
  private func daemon(agents: [UInt64] = [9]) -> VirtualDaemon {
    var settings = BrokerSettings()
    settings.access.rules = [
      .granting(nil, user: "user1009", agent: .all), .granting(nil, user: "user1008", agent: .all),
      .administering(user: "user1007"),
    ]
    var daemon = VirtualDaemon(settings: settings)
    for agent in agents {
      daemon.connect(agent)
      #expect(daemon.answer(.registerAgent(), client: agent) == .agentRegistered(AgentAnswer()))
    }
    return daemon
  }

  private func allow(
    _ prompt: Prompt, by agent: UInt64 = 9, _ level: AuthorizationLevel? = nil, _ precision: Precision? = nil,
    isRemembered: Bool = true
  ) -> BrokerEvent {
    .promptAnswered(
      prompt.id, by: ClientID(agent),
      PromptAnswer(isAllowed: true, level: level, precision: precision, isRemembered: isRemembered))
  }

  private func deny(_ prompt: Prompt, by agent: UInt64 = 9) -> BrokerEvent {
    .promptAnswered(prompt.id, by: ClientID(agent), PromptAnswer(isAllowed: false))
  }

  @Test("Without an agent the answer comes at once, with the remedy")
  func nobody() throws {
    var daemon = self.daemon(agents: [])
    let failure = try daemon.answer(.getFix(FixRequest())).failure()
    guard case .notDetermined(let remedy) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(remedy.contains("adduser user1001 position"))
    #expect(daemon.deadline == nil)
  }

  @Test("A request waits for the answer, and then for its fix")
  func granted() throws {
    var daemon = self.daemon()
    let (call, asked) = daemon.call(.getFix(FixRequest()))
    let prompt = try #require(asked.prompts(to: 9).first)
    #expect(
      prompt.question.principal.uid == 1001 && prompt.question.level == .whenInUse
        && prompt.question.precision == .precise)
    #expect(asked.contains(.notify(ClientID(1), .prompted(.whenInUse, .precise, expiresIn: .seconds(120)))))
    daemon.advance(by: 10)
    #expect(!daemon.isReceiverOn)
    let answered = daemon.send(self.allow(prompt))
    #expect(answered.authorizations() == [.whenInUse])
    #expect(answered.receiverOrders == [true])
    daemon.advance(by: 1)
    #expect(daemon.fix().outcome(of: call)?.isSatisfied == true)
    #expect(daemon.store.decisions[1001]?.level == .whenInUse)
  }

  @Test("Who may know while connected asks a person again for more, and not for the same")
  func same() throws {
    var daemon = self.daemon()
    let first = daemon.call(.requestAuthorization(AuthorizationRequest()))
    daemon.send(self.allow(try #require(first.actions.prompts(to: 9).first)))
    #expect(daemon.call(.requestAuthorization(AuthorizationRequest())).actions.prompts(to: 9).isEmpty)
    let more = daemon.call(.requestAuthorization(AuthorizationRequest(level: .always)))
    let prompt = try #require(more.actions.prompts(to: 9).first)
    #expect(prompt.question.level == .always && more.actions.answers(to: more.id).isEmpty)
    #expect(daemon.send(self.allow(prompt)).authorizations() == [.always])
  }

  @Test("What would be old after a person's answer does not wait for it", arguments: [Call.sky(), .lastFix()])
  func unwaited(call: Call) throws {
    var daemon = self.daemon()
    let (id, asked) = daemon.call(call)
    #expect(asked.prompts(to: 9).count == 1)
    guard case .notDetermined(let remedy) = try asked.answers(to: id).first.failure() else {
      Issue.record("\(asked)")
      return
    }
    #expect(remedy == "a person is being asked; try again after authorization.changed")
  }

  @Test(
    "The timeout runs during the prompt, unless it was requested to begin with the answer", arguments: [false, true])
  func timeout(isDelayed: Bool) throws {
    var daemon = self.daemon()
    let request = FixRequest(timeout: .seconds(30), delaysUntilAuthorized: isDelayed)
    let (call, asked) = daemon.call(.getFix(request))
    let prompt = try #require(asked.prompts(to: 9).first)
    let late = daemon.advance(by: 40)
    guard isDelayed else {
      late.answers(to: call).first.expect(.notDetermined)
      #expect(daemon.send(self.allow(prompt)).answers(to: call).isEmpty)
      return
    }
    #expect(late.answers(to: call).isEmpty)
    daemon.send(self.allow(prompt))
    #expect(daemon.advance(by: 29).answers(to: call).isEmpty)
    #expect(daemon.advance(by: 1).outcome(of: call)?.status == .timedOut)
  }

  @Test("The timeout of a heading request runs during the prompt too, and does not begin again with the answer")
  func headingTimeout() throws {
    var daemon = self.daemon()
    let (call, asked) = daemon.call(.getHeading(HeadingRequest(timeout: .seconds(30))))
    let prompt = try #require(asked.prompts(to: 9).first)
    daemon.advance(by: 20)
    #expect(daemon.send(self.allow(prompt)).answers(to: call).isEmpty)
    #expect(daemon.advance(by: 9).answers(to: call).isEmpty)
    #expect(daemon.advance(by: 1).answers(to: call) == [.heading(HeadingResult())])
  }

  @Test("A no is the answer, is stored, and prevents further prompts unless forced")
  func denied() throws {
    var daemon = self.daemon()
    let (call, asked) = daemon.call(.getFix(FixRequest()))
    let answered = daemon.send(self.deny(try #require(asked.prompts(to: 9).first)))
    #expect(answered.authorizations() == [.denied])
    let failure = try answered.answers(to: call).first.failure()
    guard case .denied(_, let at, _) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(at == daemon.now)
    #expect(daemon.call(.getFix(FixRequest())).actions.prompts(to: 9).isEmpty)
    #expect(daemon.call(.requestAuthorization(AuthorizationRequest())).actions.prompts(to: 9).isEmpty)
    let (forced, again) = daemon.call(.requestAuthorization(AuthorizationRequest(isForced: true)))
    let granted = daemon.send(self.allow(try #require(again.prompts(to: 9).first)))
    #expect(granted.authorizations() == [.whenInUse])
    let authorization = try granted.answers(to: forced).first.authorization()
    #expect(authorization.state == .whenInUse)
  }

  @Test("whileConnected can be raised to always, and a no to that changes nothing")
  func raised() throws {
    var daemon = self.daemon()
    let first = daemon.call(.requestAuthorization(AuthorizationRequest())).actions
    daemon.send(self.allow(try #require(first.prompts(to: 9).first)))
    let home = Call.subscribeVisits(durable: DurableRequest(name: "log"))
    daemon.answer(home).expect(.denied)
    let second = daemon.call(.requestAuthorization(AuthorizationRequest(level: .always))).actions
    let refused = daemon.send(self.deny(try #require(second.prompts(to: 9).first)))
    #expect(refused.authorizations().isEmpty)
    let third = daemon.call(.requestAuthorization(AuthorizationRequest(level: .always))).actions
    #expect(daemon.send(self.allow(try #require(third.prompts(to: 9).first))).authorizations() == [.always])
    #expect(try daemon.answer(home).durableSubscribed() == "log")
  }

  @Test("An agent's answer grants no more than was requested")
  func liar() throws {
    var daemon = self.daemon()
    let request = AuthorizationRequest(level: .whenInUse, precision: .reduced)
    let prompt = try #require(daemon.call(.requestAuthorization(request)).actions.prompts(to: 9).first)
    #expect(prompt.question.precision == .reduced)
    daemon.send(self.allow(prompt, .always, .precise))
    #expect(daemon.answer(.authorization()).map { "\($0)" }?.contains("whenInUse") == true)
    #expect(daemon.store.decisions[1001]?.precision == .reduced)
    // Answers without a prompt, from another agent, or repeated ones do not count.
    #expect(daemon.send(self.deny(prompt)).authorizations().isEmpty)
    #expect(daemon.send(.promptAnswered(PromptID(99), by: ClientID(9), PromptAnswer(isAllowed: false))).isEmpty)
    #expect(daemon.send(self.allow(prompt, by: 1, .always)).authorizations().isEmpty)
  }

  @Test("Of two agents the first answer counts, and the other's prompt is cancelled")
  func two() throws {
    var daemon = self.daemon(agents: [8, 9])
    let asked = daemon.call(.getFix(FixRequest())).actions
    let prompt = try #require(asked.prompts(to: 8).first)
    #expect(asked.prompts(to: 9) == [prompt])
    let answered = daemon.send(self.deny(prompt, by: 8))
    #expect(answered.withdrawals(from: 9) == [prompt.id])
    #expect(daemon.send(self.allow(prompt)).authorizations().isEmpty)
    let authorization = try daemon.answer(.authorization()).authorization()
    #expect(authorization.state == .denied)
  }

  @Test("A prompt outlives an agent as long as another one has it, and no longer")
  func deadAgent() throws {
    var daemon = self.daemon(agents: [8, 9])
    let (call, asked) = daemon.call(.getFix(FixRequest()))
    let prompt = try #require(asked.prompts(to: 8).first)
    #expect(daemon.send(.clientDisconnected(ClientID(8))).answers(to: call).isEmpty)
    // An invalid answer does not count: that agent has no prompt any more.
    let ended = daemon.send(.promptAnswered(prompt.id, by: ClientID(9), nil))
    ended.answers(to: call).first.expect(.notDetermined)
  }

  @Test("An agent that may not answer any more loses its prompts in the order of their users")
  func loses() {
    var daemon = self.daemon()
    let asked = [UInt64(15), 12, 14, 11, 13].map { client in
      daemon.connect(client)
      return daemon.call(.getFix(FixRequest()), client: client).actions.prompts(to: 9).map(\.id)
    }
    let lost = daemon.change { $0.rules.removeAll { $0.agent == .all } }
    #expect(lost.withdrawals(from: 9) == [3, 1, 4, 2, 0].flatMap { asked[$0] } && asked.allSatisfy { $0.count == 1 })
  }

  @Test("An agent that registers during a prompt gets the prompt too")
  func lateAgent() throws {
    var daemon = self.daemon(agents: [8])
    let (call, asked) = daemon.call(.getFix(FixRequest()))
    let prompt = try #require(asked.prompts(to: 8).first)
    daemon.advance(by: 20)
    daemon.connect(9)
    let joined = daemon.call(.registerAgent(), client: 9).actions
    #expect(joined.prompts(to: 9).map(\.id) == [prompt.id])
    #expect(joined.prompts(to: 9).map(\.question.expiresIn) == [.seconds(100)])
    daemon.send(.clientDisconnected(ClientID(8)))
    #expect(daemon.send(self.allow(prompt)).receiverOrders == [true])
    #expect(daemon.fix().outcome(of: call) != nil)
  }

  @Test("An unanswered prompt ends after two minutes, and the waiting calls are answered")
  func unanswered() throws {
    var daemon = self.daemon()
    let (call, asked) = daemon.call(.subscribe(SubscriptionParameters()))
    let prompt = try #require(asked.prompts(to: 9).first)
    let over = daemon.advance(by: 120)
    #expect(over.withdrawals(from: 9) == [prompt.id])
    over.answers(to: call).first.expect(.notDetermined)
    #expect(daemon.send(self.allow(prompt)).authorizations().isEmpty)
  }

  @Test("A user has one prompt at a time, and three in ten minutes; others still get prompts")
  func rate() throws {
    var daemon = self.daemon()
    daemon.connect(2, uid: 1001)
    daemon.connect(3)
    for round in 1...3 {
      let first = daemon.call(.getFix(FixRequest(timeout: .seconds(1)))).actions.prompts(to: 9)
      let second = daemon.call(.getFix(FixRequest(timeout: .seconds(1))), client: 2).actions
      #expect(first.count == 1 && second.prompts(to: 9).isEmpty, "round \(round)")
      let isSent = second.contains { if case .notify(ClientID(2), .prompted) = $0 { true } else { false } }
      #expect(isSent)
      daemon.send(.promptAnswered(try #require(first.first).id, by: ClientID(9), nil))
    }
    let limit = Answer.failed(
      .limitExceeded(name: "prompts per principal", value: 3))
    #expect(daemon.answer(.getFix(FixRequest())) == limit)
    #expect(daemon.answer(.requestAuthorization(AuthorizationRequest())) == limit)
    #expect(daemon.call(.getFix(FixRequest()), client: 3).actions.prompts(to: 9).count == 1)
    daemon.advance(by: 600)
    #expect(daemon.call(.getFix(FixRequest())).actions.prompts(to: 9).count == 1)
  }

  @Test("An answer for one time holds for the connections that waited, and is not stored")
  func once() throws {
    var daemon = self.daemon()
    daemon.connect(2, uid: 1001)
    let prompt = try #require(daemon.call(.getFix(FixRequest())).actions.prompts(to: 9).first)
    let answered = daemon.send(self.allow(prompt, isRemembered: false))
    #expect(answered.authorizations() == [.whenInUse])
    #expect(answered.authorizations(of: 2).isEmpty)
    #expect(daemon.store.decisions.isEmpty)
    daemon.send(.clientDisconnected(ClientID(1)))
    daemon.connect(1)
    #expect(daemon.call(.getFix(FixRequest())).actions.prompts(to: 9).count == 1)
  }

  @Test("A cancelled request does not wait any more, and a completed one is answered as undecided")
  func cancelled() throws {
    var daemon = self.daemon()
    let first = daemon.call(.getFix(FixRequest())).id
    #expect(daemon.call(.cancelRequest(first)).actions.answers(to: first) == [.failed(.cancelled)])
    let second = daemon.call(.getFix(FixRequest())).id
    let listed = try daemon.answer(.listRequests()).requests()
    #expect(listed.map(\.call) == [second])
    daemon.call(.completeRequest(second)).actions.answers(to: second).first.expect(.notDetermined)
  }

  @Test("Calls that do not wait are answered at once during a prompt")
  func atOnce() {
    var daemon = self.daemon()
    let (call, asked) = daemon.call(.lastFix())
    #expect(asked.prompts(to: 9).count == 1)
    asked.answers(to: call).first.expect(.notDetermined)
  }

  @Test("A client that may not be an agent cannot register")
  func noAgent() {
    var daemon = self.daemon()
    daemon.answer(.registerAgent()).expect(.restricted)
    #expect(daemon.call(.getFix(FixRequest())).actions.prompts(to: 1).isEmpty)
  }

  @Test("An agent of its own user gets no prompts of others")
  func ownUser() {
    var settings = BrokerSettings()
    settings.access.rules = [.granting(nil, user: "user1009", agent: .own)]
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(9)
    daemon.call(.registerAgent(), client: 9)
    daemon.answer(.getFix(FixRequest())).expect(.notDetermined)
    daemon.connect(2, uid: 1009)
    #expect(daemon.call(.getFix(FixRequest()), client: 2).actions.prompts(to: 9).count == 1)
    // An agent that may not answer any more has no prompt any more.
    let ended = daemon.change { $0.rules = [] }
    #expect(ended.withdrawals(from: 9).count == 1)
  }

  @Test("Administrators list, grant and revoke; a grant is stored, and a withdrawal counts at once")
  func administration() throws {
    var daemon = self.daemon(agents: [])
    daemon.connect(7)
    let grant = Call.grant(uid: 1001, user: "user1001", .always, .precise)
    #expect(daemon.call(grant, client: 7).actions.authorizations() == [.always])
    daemon.restart()
    daemon.connect(7)
    daemon.subscribe(SubscriptionParameters())
    #expect(daemon.stream(seconds: 2).fixes().count == 2)
    let narrowed = daemon.call(.grant(uid: 1001, user: "user1001", .whenInUse, .reduced), client: 7).actions
    #expect(narrowed.authorizations() == [.whenInUse])
    #expect(daemon.call(.revoke(uid: 1001), client: 7).actions.authorizations() == [.notDetermined])
    #expect(daemon.stream(seconds: 2).fixes().isEmpty)
    #expect(daemon.answer(.listGrants(), client: 7) == .grants([]))
    let clients = try daemon.answer(.listClients(), client: 7).clients()
    #expect(clients.map(\.principal.uid) == [1001, 1007])
    daemon.answer(.grant(uid: 61_500, user: "x", .always, .precise), client: 7).expect(.invalid)
  }

  @Test("An administrator's decision during a prompt answers the waiting calls and cancels the prompt")
  func overtaken() throws {
    var daemon = self.daemon()
    daemon.connect(7)
    let (call, asked) = daemon.call(.subscribe(SubscriptionParameters()))
    let prompt = try #require(asked.prompts(to: 9).first)
    let granted = daemon.call(.grant(uid: 1001, user: "user1001", .always, .precise), client: 7).actions
    #expect(granted.withdrawals(from: 9) == [prompt.id])
    try granted.answers(to: call).first.subscribed()
    #expect(daemon.send(self.deny(prompt)).authorizations().isEmpty)
    #expect(daemon.stream(seconds: 2).fixes().count == 2)
  }

  @Test("An agent that may not answer for a user any more decides nothing")
  func narrowed() throws {
    var daemon = self.daemon()
    let prompt = try #require(daemon.call(.getFix(FixRequest())).actions.prompts(to: 9).first)
    daemon.change { $0.rules[0].agent = .own }
    #expect(daemon.send(self.allow(prompt)).authorizations().isEmpty)
    #expect(daemon.store.decisions.isEmpty)
  }

  @Test("A number that belongs to another user now inherits nothing")
  func reused() {
    var settings = BrokerSettings()
    settings.access.rules = [.administering(user: "user1007")]
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(7)
    daemon.call(.grant(uid: 1001, user: "user1001", .always, .precise), client: 7)
    daemon.call(.subscribeVisits(durable: DurableRequest(name: "log")))
    daemon.send(.clientDisconnected(ClientID(1)))
    daemon.send(.clientConnected(ClientID(2), Principal(uid: 1001, gid: 100, pid: 1, user: "mallory")))
    daemon.answer(.getFix(FixRequest()), client: 2).expect(.notDetermined)
    #expect(daemon.store.decisions.isEmpty && daemon.store.names.isEmpty)
    #expect(daemon.answer(.listDurables(), client: 2) == .durables([]))
  }
}
