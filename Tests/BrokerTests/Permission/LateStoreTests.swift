import Positioning
import TestSupport
import Testing

@testable import Broker

/// Permission while the store is late or has an error.
@Suite struct LateStoreTests {
  /// Client 1 is of user 1001, client 7 an administrator, client 9 everybody's agent.
  private func daemon(_ fallback: AccessPolicy.Fallback = .ask) -> VirtualDaemon {
    var settings = BrokerSettings()
    settings.access.fallback = fallback
    settings.access.rules = [.administering(user: "user1007"), .granting(nil, user: "user1009", agent: .all)]
    var daemon = VirtualDaemon(settings: settings)
    daemon.connect(7)
    daemon.connect(9)
    daemon.call(.registerAgent(), client: 9)
    daemon.holdsStore = true
    return daemon
  }

  private func state(_ daemon: inout VirtualDaemon) -> Authorization.State? {
    guard case .authorization(let authorization)? = daemon.answer(.authorization()) else { return nil }
    return authorization.state
  }

  @Test("Enabled and disabled before the disk stored either, it is off, and stays off")
  func enabledDisabled() {
    var daemon = self.daemon(.allow)
    daemon.call(.setEnabled(false), client: 7)
    daemon.commitStore()
    let on = daemon.call(.setEnabled(true), client: 7).id
    let off = daemon.call(.setEnabled(false), client: 7).id
    #expect(daemon.commitStore().answers(to: on) == [.enabled(true)])
    #expect(self.state(&daemon) == .disabled)
    #expect(daemon.commitStore().answers(to: off) == [.enabled(false)])
    #expect(self.state(&daemon) == .disabled)
  }

  @Test("Granted and revoked before the disk stored either, nothing is granted")
  func grantedRevoked() {
    var daemon = self.daemon()
    daemon.call(.grant(uid: 1001, user: "user1001", .whenInUse, .precise), client: 7)
    daemon.commitStore()
    daemon.call(.grant(uid: 1001, user: "user1001", .always, .precise), client: 7)
    daemon.call(.revoke(uid: 1001), client: 7)
    #expect(self.state(&daemon) == .notDetermined)
    for _ in 0..<2 {
      daemon.commitStore()
      #expect(self.state(&daemon) == .notDetermined)
    }
    #expect(daemon.store.decisions.isEmpty)
  }

  @Test("A first grant can be revoked before it is on the disk")
  func firstGrantRevoked() throws {
    var daemon = self.daemon()
    daemon.call(.grant(uid: 1001, user: "user1001", .always, .precise), client: 7)
    let revoked = daemon.call(.revoke(uid: 1001), client: 7).id
    daemon.commitStore()
    #expect(self.state(&daemon) == .notDetermined)
    try daemon.commitStore().answers(to: revoked).first.grant()
    #expect(self.state(&daemon) == .notDetermined && daemon.store.decisions.isEmpty)
  }

  @Test("A person's yes that waits for the disk does not count once an administrator denies")
  func personOvertaken() throws {
    var daemon = self.daemon()
    let (call, asked) = daemon.call(.getFix(FixRequest()))
    let prompt = try #require(asked.prompts(to: 9).first)
    daemon.send(.promptAnswered(prompt.id, by: ClientID(9), PromptAnswer(isAllowed: true)))
    let denied = daemon.call(.grant(uid: 1001, user: "user1001", nil, .precise), client: 7).actions
    denied.answers(to: call).first.expect(.denied)
    daemon.commitStore()
    daemon.commitStore()
    #expect(self.state(&daemon) == .denied)
  }

  @Test("While the store has an error an administrator's denial counts, and the answer says that it is not stored")
  func deniedWithoutStore() throws {
    var daemon = self.daemon(.allow)
    daemon.send(.storeChanged(error: "the disk is full"))
    let (call, actions) = daemon.call(.grant(uid: 1001, user: "user1001", nil, .precise), client: 7)
    let info = try actions.answers(to: call).first.grant()
    #expect(!info.isStored && actions.authorizations() == [.denied])
    #expect(daemon.answer(.setEnabled(false), client: 7) == .enabled(false, isStored: false))
    // A grant must be stored, and is refused.
    #expect(daemon.answer(.setEnabled(true), client: 7) == .failed(.notStored("the disk is full")))
    // The queue is full as well: the change is stored once there is room.
    daemon.commitStore(error: "full")
    daemon.commitStore(error: "full")
    daemon.holdsStore = false
    daemon.send(.storeChanged(error: nil))
    #expect(daemon.store.decisions[1001]?.user == "user1001" && daemon.store.decisions[1001]?.level == nil)
    #expect(!daemon.store.isEnabled)
    let grants = try daemon.answer(.listGrants(), client: 7).grants()
    #expect(grants.map(\.isStored) == [true])
  }

  @Test(
    "A disk that takes too long delays no administrator; a grant is taken back", arguments: [false, true])
  func slowDisk(isGiven: Bool) {
    var daemon = self.daemon()
    if isGiven {
      let call = daemon.call(.grant(uid: 1001, user: "user1001", .always, .precise), client: 7).id
      let answers = daemon.advance(by: 5).answers(to: call)
      #expect(answers == [.failed(.notStored("the disk takes longer than 5 s"))])
    } else {
      let call = daemon.call(.setEnabled(false), client: 7).id
      #expect(daemon.advance(by: 5).answers(to: call) == [.enabled(false, isStored: false)])
    }
    let before = self.state(&daemon)
    while daemon.heldChanges > 0 { daemon.commitStore() }
    #expect(self.state(&daemon) == before)
    #expect(daemon.store.decisions.isEmpty && daemon.store.isEnabled == isGiven)
  }

  @Test("A person's yes that cannot be stored holds for the connections that waited, and for no later ones")
  func promptedWithoutStore() throws {
    var daemon = self.daemon()
    let (call, asked) = daemon.call(.getFix(FixRequest(timeout: .seconds(60))))
    let prompt = try #require(asked.prompts(to: 9).first)
    daemon.send(.promptAnswered(prompt.id, by: ClientID(9), PromptAnswer(isAllowed: true)))
    // A request meanwhile waits for the same answer.
    daemon.connect(2, uid: 1001)
    let second = daemon.call(.getFix(FixRequest(timeout: .seconds(60))), client: 2).id
    let failed = daemon.send(.storeChanged(error: "the disk is broken"))
    #expect(failed.authorizations() == [.whenInUse] && failed.authorizations(of: 2) == [.whenInUse])
    let fix = daemon.fix()
    #expect(fix.outcome(of: call) != nil && fix.outcome(of: second) != nil)
    while daemon.heldChanges > 0 { daemon.commitStore() }
    #expect(daemon.store.decisions.isEmpty)
    daemon.connect(3, uid: 1001)
    #expect(daemon.call(.authorization(), client: 3).actions.contains { "\($0)".contains("notDetermined") })
  }

  @Test("A denial that is stored late ends no later prompt", arguments: [false, true])
  func lateNo(isSlow: Bool) throws {
    var daemon = self.daemon()
    let first = try #require(daemon.call(.getFix(FixRequest())).actions.prompts(to: 9).first)
    daemon.send(.promptAnswered(first.id, by: ClientID(9), PromptAnswer(isAllowed: false)))
    let (call, asked) = daemon.call(.requestAuthorization(AuthorizationRequest(isForced: true)))
    let second = try #require(asked.prompts(to: 9).first)
    let late = isSlow ? daemon.advance(by: 10) : daemon.commitStore()
    #expect(late.withdrawals(from: 9).isEmpty && late.answers(to: call).isEmpty)
    daemon.holdsStore = false
    let allowed = daemon.send(.promptAnswered(second.id, by: ClientID(9), PromptAnswer(isAllowed: true)))
    #expect(allowed.authorizations() == [.whenInUse] && allowed.answers(to: call).count == 1)
  }

  @Test(
    "Turning positions on with unknown decisions returns the reason, which every start reports until then")
  func unread() {
    var stored = StoredState()
    (stored.isEnabled, stored.unread) = (false, "it is damaged")
    var settings = BrokerSettings()
    settings.access.fallback = .allow
    var machine = BrokerMachine(settings: settings, stored: stored, now: at(1000))
    var (answers, kept, logged) = ([Answer](), [StoreChange](), [LogMessage]())
    func handle(_ event: BrokerEvent) {
      for action in machine.handle(event, now: at(1000)) {
        switch action {
        case .answer(_, let answer): answers.append(answer)
        case .log(.decisionsUnread, let message): logged.append(message)
        case .store(let number, let changes):
          kept += changes
          handle(.stored(number))
        default: break
        }
      }
    }
    let client = ClientID(1)
    handle(.clientConnected(client, Principal(uid: 0, gid: 0, pid: 1, user: "root")))
    // Turning it off again decides nothing about the unknown decisions.
    for (serial, isOn) in [false, true, true].enumerated() {
      handle(.called(CallID(client: client, serial: UInt64(serial)), .setEnabled(isOn)))
    }
    #expect(answers == [.enabled(false), .enabled(true, unread: "it is damaged"), .enabled(true)])
    #expect(logged.count == 1 && logged[0].text.contains("cannot be read (it is damaged)"), "\(logged)")
    #expect(
      kept.filter { $0.subject == .enabled } == [
        .putEnabled(false, unread: "it is damaged"), .putEnabled(true), .putEnabled(true),
      ])
    #expect(machine.permissions.unread == nil && machine.permissions.isSwitchedOn)
  }

  @Test("A person's answer counts for a user of whom nothing is stored too, for the connections that waited")
  func dynamicUser() throws {
    var daemon = self.daemon()
    daemon.send(.clientConnected(ClientID(2), Principal(uid: 61_200, gid: 100, pid: 1, user: "weather")))
    let (call, asked) = daemon.call(.getFix(FixRequest()), client: 2)
    let prompt = try #require(asked.prompts(to: 9).first)
    let answered = daemon.send(.promptAnswered(prompt.id, by: ClientID(9), PromptAnswer(isAllowed: true)))
    #expect(answered.authorizations(of: 2) == [.whenInUse])
    #expect(daemon.fix().outcome(of: call) != nil)
  }

  @Test("The prompt of a client that requests more stays open whatever is decided for others")
  func askingForMore() throws {
    var daemon = self.daemon()
    daemon.holdsStore = false
    let once = daemon.call(.requestAuthorization(AuthorizationRequest())).actions
    let first = try #require(once.prompts(to: 9).first)
    daemon.send(.promptAnswered(first.id, by: ClientID(9), PromptAnswer(isAllowed: true, isRemembered: false)))
    let (call, asked) = daemon.call(.requestAuthorization(AuthorizationRequest(level: .always)))
    let prompt = try #require(asked.prompts(to: 9).first)
    let other = daemon.call(.grant(uid: 1055, user: "user1055", .always, .precise), client: 7).actions
    #expect(other.withdrawals(from: 9).isEmpty && other.answers(to: call).isEmpty)
    let reloaded = daemon.send(.settingsChanged(daemon.machine.settings))
    #expect(reloaded.withdrawals(from: 9).isEmpty && reloaded.answers(to: call).isEmpty)
    let answered = daemon.send(
      .promptAnswered(prompt.id, by: ClientID(9), PromptAnswer(isAllowed: true, level: .always)))
    #expect(answered.authorizations() == [.always])
  }
}
