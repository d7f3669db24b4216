import Positioning
import TestSupport
import Testing

@testable import Broker

/// Whose a subordinate number is, what a given-up group and a setgid program are worth, as docs/permission.md says it.
@Suite("Subordinate numbers and groups") struct SubordinateTests {
  /// Ada, who is in the group 50 by the system, in a process with these groups and maybe another number.
  private static func ada(
    groups: [UInt32] = [], subordinate: UInt32? = nil, unit: PeerUnit = .none, account: [UInt32]? = [1000, 50]
  ) -> Principal {
    var ada = Principal(
      uid: 1000, gid: subordinate ?? 1000, pid: 7, groups: groups, user: "ada", unit: unit, subordinate: subordinate)
    ada.accountGroups = account
    return ada
  }

  /// A client with a number of a range whose owner cannot be looked up.
  private static func lost(groups: [UInt32] = []) -> Principal {
    var client = Principal(uid: 165_536, gid: 170_000, pid: 7, groups: groups, subordinate: 170_000)
    client.accountGroups = nil
    return client
  }

  /// One of a range that is root's, or nobody's.
  private static let ownerless = Principal(uid: 165_536, gid: 170_000, pid: 7, groups: [60], subordinate: 170_000)

  private func access(
    of principal: Principal, _ rules: [AccessRule] = [], decision: Decision? = nil,
    default fallback: AccessPolicy.Fallback = .ask
  ) -> Access {
    var policy = AccessPolicy()
    (policy.rules, policy.fallback) = (rules, fallback)
    return policy.access(of: principal, decision: decision, isSwitchedOn: true)
  }

  // MARK: Groups

  @Test("A rule that denies a group denies the users that the system has in it, whatever groups their process has")
  func givenUp() {
    let denial = AccessRule.on("guests") { ($0.group, $0.grant) = (.number(50), .deny) }
    for groups in [[], [50], [20]] as [[UInt32]] {
      for number in [nil, 170_000] as [UInt32?] {
        let access = self.access(of: Self.ada(groups: groups, subordinate: number), [denial], default: .allow)
        #expect(access.authorization.state == .restricted && access.authorization.rule == "guests")
      }
    }
    // And a process that has the group, though the system does not have its user in it.
    let member = Self.ada(groups: [50], account: [1000])
    #expect(self.access(of: member, [denial], default: .allow).authorization.state == .restricted)
    #expect(self.access(of: Self.ada(account: [1000]), [denial], default: .allow).authorization.state == .always)
  }

  @Test("If the groups of a user cannot be looked up, a rule that denies a group applies, and says why")
  func groupsUnknown() throws {
    let denial = AccessRule.on("guests") { ($0.group, $0.grant) = (.number(50), .deny) }
    let access = self.access(of: Self.ada(groups: [20], account: nil), [denial], default: .allow)
    #expect(access.authorization.state == .restricted)
    #expect(try #require(access.authorization.remedy).contains("which groups user ada has"))
    // A group that the process has is known to grant all the same.
    let grant = AccessRule.on("members") { ($0.group, $0.grant) = (.number(20), .always) }
    #expect(self.access(of: Self.ada(groups: [20], account: nil), [grant]).authorization.state == .always)
  }

  @Test("Only a group of the process grants, not one that the system has for its user")
  func notInProcess() {
    let grant = AccessRule.on("members") { ($0.group, $0.grant) = (.number(50), .always) }
    #expect(self.access(of: Self.ada(), [grant]).authorization.state == .notDetermined)
    #expect(self.access(of: Self.ada(groups: [50]), [grant]).authorization.state == .always)
  }

  @Test("An earlier rule for a group that the process has given up still limits what a later one grants")
  func limitEscaped() {
    let rough = AccessRule.on("rough") {
      ($0.group, $0.grant, $0.precision, $0.minInterval) = (.number(50), .whenInUse, .reduced, .seconds(60))
    }
    let members = AccessRule.on("members") { ($0.group, $0.grant, $0.wake) = (.number(20), .always, ["a.service"]) }
    for access in [
      self.access(of: Self.ada(groups: [20]), [rough, members]), self.access(of: Self.ada(), [rough], default: .allow),
    ] {
      #expect(access.authorization.state == .whenInUse && access.authorization.precision == .reduced)
      #expect(access.feed == FixFeedKey(precision: .reduced, minInterval: .seconds(60)))
      #expect(access.authorization.rule == "rough" && access.ceiling == .reduced)
    }
    // It gives nothing, and a later rule does not limit an earlier one.
    #expect(self.access(of: Self.ada(), [rough]).authorization.state == .notDetermined)
    let first = self.access(of: Self.ada(groups: [20]), [members, rough])
    #expect(first.feed == .everything && first.wake == ["a.service"])
  }

  @Test("The group of a program's setgid bit grants only who is in the group by the system, and is denied in any case")
  func setgid() {
    func client(memberOf account: [UInt32]?, further: [UInt32] = []) -> Principal {
      var client = Principal(uid: 1001, gid: 50, pid: 7, groups: further, user: "ben")
      client.isGroupBorrowed = !further.contains(50)
      client.accountGroups = account
      return client
    }
    let grant = AccessRule.on("members") { ($0.group, $0.grant) = (.number(50), .always) }
    #expect(self.access(of: client(memberOf: [1001]), [grant]).authorization.state == .notDetermined)
    #expect(self.access(of: client(memberOf: nil), [grant]).authorization.state == .notDetermined)
    #expect(self.access(of: client(memberOf: [1001, 50]), [grant]).authorization.state == .always)
    // A login and a unit have it among the further groups too.
    #expect(self.access(of: client(memberOf: [1001], further: [50]), [grant]).authorization.state == .always)
    let denial = AccessRule.on("games") { ($0.group, $0.grant) = (.number(50), .deny) }
    #expect(self.access(of: client(memberOf: [1001]), [denial], default: .allow).authorization.state == .restricted)
  }

  // MARK: Numbers

  @Test("A subordinate number has what its owner has by rules, decisions and default, and not what comes after")
  func owners() {
    let rules: [AccessRule] = [
      .on("ada") { ($0.user, $0.grant, $0.precision) = ("ada", .always, .reduced) },
      .on("members") { ($0.group, $0.grant) = (.number(50), .always) },
    ]
    let ruled = self.access(of: Self.ada(groups: [50], subordinate: 165_536), rules)
    #expect(ruled.authorization.rule == "ada" && ruled.authorization.precision == .reduced)
    let no = Decision(user: "ada", level: nil, at: .zero)
    let denied = self.access(of: Self.ada(subordinate: 165_536), decision: no, default: .allow)
    #expect(denied.authorization.state == .denied)
    let allowed = self.access(of: Self.ada(subordinate: 165_536), default: .allow)
    #expect(allowed.authorization.state == .whenInUse && allowed.feed == .everything)
    #expect(self.access(of: Self.ada(subordinate: 165_536)).isAskable)
  }

  @Test("What outlives a connection, and power over others, takes the user's own number")
  func power() {
    let rule = AccessRule.on("ada") {
      ($0.user, $0.grant, $0.isAdministrator, $0.agent) = ("ada", .always, true, .all)
      ($0.wake, $0.isRelay) = (["a.service"], true)
    }
    let own = self.access(of: Self.ada(), [rule])
    #expect(own.authorization.state == .always && own.isAdministrator && own.agent == .all && own.isRelay)
    let access = self.access(of: Self.ada(subordinate: 165_536), [rule])
    #expect(access.authorization.state == .whenInUse)
    #expect(!access.isAdministrator && access.agent == .none && access.wake.isEmpty && !access.isRelay)
    #expect(access.authorization.remedy == "a program that runs with ada's own number may have more")
  }

  @Test(
    "While nobody knows whose a subordinate number is, groups and the default give it nothing",
    arguments: AccessPolicy.Fallback.allCases)
  func ownerUnknown(fallback: AccessPolicy.Fallback) {
    let members = AccessRule.on("members") { ($0.group, $0.grant) = (.number(50), .always) }
    let unit = AccessRule.on("unit") { ($0.unit, $0.grant) = ("a.service", .whenInUse) }
    let access = self.access(of: Self.lost(groups: [50]), [members, unit], default: fallback)
    #expect(access.feed == nil && !access.isAskable)
    if fallback == .allow {
      let remedy = "the system cannot say whose subordinate number 170000 is"
      #expect(access.authorization.state == .restricted && access.authorization.remedy?.hasPrefix(remedy) == true)
    }
    var service = Self.lost()
    service.unit = .named("a.service")
    #expect(self.access(of: service, [members, unit], default: fallback).authorization.state == .whenInUse)
    // Anybody may own it, so every rule that denies a user or a group applies.
    for denial in [
      AccessRule.on { ($0.user, $0.grant) = ("eve", .deny) }, .on { ($0.group, $0.grant) = (.number(9), .deny) },
    ] {
      #expect(self.access(of: service, [unit, denial], default: fallback).authorization.state == .restricted)
    }
  }

  @Test("A range of root's or of nobody has what its groups and the default give, and is never root")
  func ownerless() {
    let members = AccessRule.on("members") { ($0.group, $0.grant) = (.number(60), .always) }
    #expect(self.access(of: Self.ownerless, [members]).authorization.state == .whenInUse)
    #expect(self.access(of: Self.ownerless, default: .allow).authorization.state == .whenInUse)
    let nothing = self.access(of: Self.ownerless, default: .deny)
    #expect(nothing.feed == nil && !nothing.isAdministrator)
  }

  // MARK: In the daemon

  private func daemon(_ set: (inout BrokerSettings) -> Void = { _ in }) -> VirtualDaemon {
    var settings = BrokerSettings()
    settings.access.rules = [.granting(nil, user: "user1009", agent: .all)]
    set(&settings)
    return VirtualDaemon(settings: settings)
  }

  private static func connect(_ principal: Principal, as client: UInt64, to daemon: inout VirtualDaemon) {
    daemon.send(.clientConnected(ClientID(client), principal))
  }

  @Test("Seventy programs with seventy numbers of one user are one prompt, and another user's is asked too")
  func prompts() throws {
    var daemon = self.daemon()
    daemon.connect(9)
    #expect(daemon.answer(.registerAgent(), client: 9) == .agentRegistered(AgentAnswer()))
    var prompts: [Prompt] = []
    for number in UInt32(0)..<70 {
      let client = UInt64(100 + number)
      Self.connect(Self.ada(subordinate: 165_536 + number), as: client, to: &daemon)
      prompts += daemon.call(.getFix(FixRequest(timeout: .seconds(600))), client: client).actions.prompts(to: 9)
    }
    #expect(prompts.count == 1)
    let question = try #require(prompts.first).question.principal
    #expect(question.uid == 1000 && question.user == "ada" && question.subordinate == 165_536)
    daemon.connect(2)
    #expect(daemon.call(.getFix(FixRequest()), client: 2).actions.prompts(to: 9).count == 1)
  }

  @Test("A client without a name starts no prompt, not by force either", arguments: [true, false])
  func nameless(isOwnerKnown: Bool) throws {
    var daemon = self.daemon()
    daemon.connect(9)
    _ = daemon.answer(.registerAgent(), client: 9)
    Self.connect(isOwnerKnown ? Self.ownerless : Self.lost(), as: 5, to: &daemon)
    let (_, asked) = daemon.call(.getFix(FixRequest()), client: 5)
    #expect(asked.prompts(to: 9).isEmpty)
    var request = AuthorizationRequest()
    request.isForced = true
    let (_, forced) = daemon.call(.requestAuthorization(request), client: 5)
    #expect(forced.prompts(to: 9).isEmpty)
    guard case .notDetermined(let remedy) = try daemon.answer(.getFix(FixRequest()), client: 5).failure() else {
      Issue.record("it is decided")
      return
    }
    #expect(remedy.contains("rule with unit="))
  }

  @Test("Six hundred numbers of one user are one entry of those in use, and one of the log")
  func inUse() {
    var daemon = self.daemon { $0.access.fallback = .allow }
    daemon.connect(2)
    daemon.subscribe(SubscriptionParameters(), client: 2)
    var logged = 0
    for number in UInt32(0)..<600 {
      Self.connect(Self.ada(subordinate: 165_536 + number), as: UInt64(100 + number), to: &daemon)
      logged += daemon.subscribe(SubscriptionParameters(), client: UInt64(100 + number)).usageLines
    }
    let actions = daemon.fix()
    logged += actions.usageLines
    let users = actions.compactMap { if case .inUse(let users) = $0 { users } else { nil } }.last
    #expect(users?.map(\.user).sorted { $0 ?? "" < $1 ?? "" } == ["ada", "user1002"])
    #expect(logged == 2)
  }

  @Test("A user's clients together have one limit of subscriptions, whatever their numbers")
  func limit() throws {
    var daemon = self.daemon {
      $0.access.fallback = .allow
      $0.maxSubscriptionsPerUser = 10
    }
    for number in UInt32(0)..<10 {
      Self.connect(Self.ada(subordinate: 165_536 + number), as: UInt64(100 + number), to: &daemon)
      _ = try daemon.answer(.subscribe(SubscriptionParameters()), client: UInt64(100 + number)).subscribed()
    }
    Self.connect(Self.ada(), as: 99, to: &daemon)
    #expect(
      daemon.answer(.subscribe(SubscriptionParameters()), client: 99)
        == .failed(.limitExceeded(name: "max-subscriptions-per-user", value: 10)))
  }

  @Test("A subordinate number keeps nothing: durable names take the user's own")
  func durable() throws {
    var daemon = self.daemon { $0.access.rules = [.granting(.always, user: "ada")] }
    Self.connect(Self.ada(), as: 1, to: &daemon)
    Self.connect(Self.ada(subordinate: 165_536), as: 2, to: &daemon)
    let call = Call.subscribe(SubscriptionParameters(mode: .significant), durable: DurableRequest(name: "tracker"))
    guard case .restricted = try daemon.answer(call, client: 2).failure() else {
      Issue.record("it is not refused by the rule")
      return
    }
    #expect(try daemon.answer(call, client: 1).durableSubscribed() == "tracker")
  }

  @Test("Once the system reports a user's new groups, a rule that denies one of them counts for connected clients")
  func learned() {
    let denial = AccessRule.on("guests") { ($0.group, $0.grant) = (.number(77), .deny) }
    var daemon = self.daemon {
      $0.access.fallback = .allow
      $0.access.rules = [denial]
    }
    Self.connect(Self.ada(), as: 1, to: &daemon)
    Self.connect(Self.ada(subordinate: 165_536), as: 2, to: &daemon)
    Self.connect(Self.lost(), as: 3, to: &daemon)
    #expect(daemon.machine.keptUsers == [1000])
    let actions = daemon.send(.ownersLearned([1000: .user("ada", groups: [1000, 77])]))
    #expect(actions.authorizations(of: 1) == [.restricted] && actions.authorizations(of: 2) == [.restricted])
    // A range is nobody, even if somebody has its first number.
    daemon.send(.ownersLearned([165_536: .user("eve", groups: [165_536])]))
    #expect(daemon.machine.clients[ClientID(3)]?.principal.user == nil)
  }
}

extension [Action] {
  /// The lines of the log about who is being given positions.
  fileprivate var usageLines: Int {
    self.count { if case .log(.positionsGiven, _) = $0 { true } else { false } }
  }
}
