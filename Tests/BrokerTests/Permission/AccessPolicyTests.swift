import Testing

@testable import Broker
@testable import Positioning

@Suite("The access that rules and a person's decision give a client") struct AccessPolicyTests {
  static let ada = Principal(uid: 1000, gid: 1000, groups: [20, 50], user: "ada", unit: .named("map.service"))
  static let root = Principal(uid: 0, gid: 0, user: "root")

  // MARK: Order

  @Test("The first rule that matches decides, alone and completely")
  func firstRule() {
    let access = access(
      rules: [
        .on("bob") { $0.user = "bob" },
        .on("first") {
          $0.group = .number(50)
          $0.grant = .whenInUse
          $0.precision = .reduced
          $0.minInterval = .seconds(60)
          $0.wake = ["a.service"]
        },
        .on("second") {
          $0.user = "ada"
          $0.grant = .always
          $0.wake = ["b.service"]
          $0.agent = .own
          $0.isAdministrator = true
        },
      ])
    #expect(access.authorization.state == .whenInUse)
    #expect(access.authorization.precision == .reduced)
    #expect(access.authorization.rule == "first")
    #expect(access.minInterval == .seconds(60))
    #expect(access.wake == ["a.service"])
    #expect(access.agent == .none)
    #expect(!access.isAdministrator && !access.isAskable)
    #expect(access.feed == FixFeedKey(precision: .reduced, minInterval: .seconds(60)))
  }

  @Test("A rule that denies has precedence at any place, and over a person's answer")
  func denialWins() {
    let grant = AccessRule.on("grant") {
      $0.user = "ada"
      $0.grant = .always
      $0.isAdministrator = true
    }
    let deny = AccessRule.on("deny") {
      $0.group = .number(20)
      $0.grant = .deny
    }
    for rules in [[grant, deny], [deny, grant]] {
      let access = access(rules: rules, decision: .init(user: "ada", level: .always, at: .zero))
      #expect(access.authorization.state == .restricted)
      #expect(access.authorization.rule == "deny")
      #expect(access.feed == nil)
      #expect(!access.isAdministrator && !access.isAskable)
    }
  }

  @Test("A client that is denied keeps the other rights of the rule that denies it")
  func deniedWithTerms() {
    let panel = AccessRule.on("panel") {
      $0.user = "ada"
      $0.grant = .deny
      $0.isAdministrator = true
      $0.agent = .own
    }
    let access = access(rules: [panel])
    #expect(access.authorization.state == .restricted)
    #expect(access.isAdministrator)
    #expect(access.agent == .own)
    // Not if the rule denies it only because of an unknown fact.
    var nameless = Self.ada
    nameless.user = nil
    let doubtful = self.access(of: nameless, rules: [panel])
    #expect(doubtful.authorization.state == .restricted)
    #expect(!doubtful.isAdministrator)
    #expect(doubtful.agent == .none)
  }

  @Test(
    "A rule without a grant leaves that to a person, and limits and decides the rest", arguments: Precision.allCases)
  func ruleWithoutGrant(precision: Precision) {
    let rule = AccessRule.on("terms") {
      $0.user = "ada"
      $0.precision = precision
      $0.minInterval = .seconds(5)
      $0.agent = .own
      $0.isAdministrator = true
      $0.wake = ["a.service"]
    }
    let asked = access(rules: [rule])
    #expect(asked.authorization.state == .notDetermined)
    #expect(asked.authorization.rule == nil)
    #expect(asked.isAskable)
    #expect(asked.ceiling == precision)
    let granted = access(rules: [rule], decision: .init(user: "ada", level: .always, precision: .precise, at: .zero))
    #expect(granted.authorization.state == .always)
    #expect(granted.feed == FixFeedKey(precision: precision, minInterval: .seconds(5)))
    #expect(!granted.isAskable)
    for access in [asked, granted] {
      #expect(access.agent == .own && access.isAdministrator && access.wake == ["a.service"])
    }
  }

  // MARK: Selectors

  /// The principal, whether a rule that grants matches, and whether one that denies does.
  static let selectors: [(AccessRule, Principal, grants: Bool, denies: Bool)] = [
    (.on { $0.user = "ada" }, ada, true, true),
    (.on { $0.user = "bob" }, ada, false, false),
    // Another name of bob's number, and bob with another number.
    (.on { ($0.user, $0.uid) = ("bob", 1000) }, ada, false, true),
    (.on { ($0.user, $0.uid) = ("ada", 1001) }, ada, true, true),
    (.on { $0.user = "bob" }, nameless, false, true),
    (.on { ($0.user, $0.uid) = ("bob", 1000) }, nameless, false, true),
    (.on { $0.group = .number(1000) }, ada, true, true),
    (.on { $0.group = .number(50) }, ada, true, true),
    (.on { $0.group = .number(51) }, ada, false, false),
    (.on { $0.group = .absent }, ada, false, false),
    (.on { $0.group = .unknown }, ada, false, true),
    (.on { $0.unit = "map.service" }, ada, true, true),
    (.on { $0.unit = "MAP.service" }, ada, false, false),
    (.on { $0.unit = "map.service" }, unitless, false, false),
    (.on { $0.unit = "map.service" }, lost, false, true),
    // All must match; one that does not is enough, whatever is unknown.
    (.on { ($0.user, $0.group) = ("ada", .number(50)) }, ada, true, true),
    (.on { ($0.user, $0.group) = ("ada", .number(51)) }, ada, false, false),
    (.on { ($0.user, $0.unit) = ("ada", "map.service") }, lost, false, true),
    (.on { ($0.user, $0.unit) = ("bob", "map.service") }, lost, false, false),
    (.on { ($0.group, $0.unit) = (.unknown, "map.service") }, lost, false, true),
    (.on { ($0.group, $0.unit) = (.absent, "map.service") }, lost, false, false),
    (.on { _ in }, ada, false, false),
    (.on { _ in }, lost, false, false),
  ]
  static let nameless = Principal(uid: 1000, gid: 1000, groups: [20, 50], unit: .named("map.service"))
  static let unitless = Principal(uid: 1000, gid: 1000, groups: [20, 50], user: "ada")
  static let lost = Principal(uid: 1000, gid: 1000, groups: [20, 50], user: "ada", unit: .unknown)

  @Test("An unknown fact matches rules that deny, and no rule that grants", arguments: selectors.indices)
  func selector(index: Int) {
    var (rule, client, grants, denies) = Self.selectors[index]
    rule.grant = .always
    #expect(self.access(of: client, rules: [rule]).authorization.state == (grants ? .always : .notDetermined))
    rule.grant = .deny
    #expect(self.access(of: client, rules: [rule]).authorization.state == (denies ? .restricted : .notDetermined))
  }

  // MARK: Persons

  @Test("A decision counts only for its user")
  func decisionOfAnother() {
    let decision = Decision(user: "carol", level: .always, at: .zero)
    #expect(self.access(decision: decision).authorization.state == .notDetermined)
    #expect(self.access(of: Self.nameless, decision: decision).authorization.state == .notDetermined)
    let no = Decision(user: "carol", level: nil, at: .zero)
    #expect(self.access(decision: no).authorization.state == .notDetermined)
  }

  @Test("A client whose user name is unknown may be one that was denied, and is not allowed")
  func denialOfNameless() {
    let no = Decision(user: "ada", level: nil, at: .zero)
    for fallback in AccessPolicy.Fallback.allCases {
      #expect(self.access(of: Self.nameless, decision: no, fallback: fallback).feed == nil)
    }
    let less = Decision(user: "ada", level: .whenInUse, precision: .reduced, at: .zero)
    let access = self.access(of: Self.nameless, decision: less, fallback: .allow)
    #expect(access.authorization.state == .whenInUse && access.authorization.precision == .reduced)
    #expect(self.access(of: Self.nameless, decision: less, fallback: .deny).feed == nil)
  }

  @Test("A decision that grants counts with default=deny; one that denies counts with default=allow")
  func decisionOverFallback() {
    let yes = Decision(user: "ada", level: .whenInUse, precision: .reduced, at: .zero)
    let granted = self.access(decision: yes, fallback: .deny)
    #expect(granted.authorization.state == .whenInUse && granted.authorization.precision == .reduced)
    #expect(granted.authorization.rule == nil)
    let no = Decision(user: "ada", level: nil, at: .zero)
    for fallback in AccessPolicy.Fallback.allCases {
      let denied = self.access(decision: no, fallback: fallback)
      #expect(denied.authorization.state == .denied)
      #expect(denied.feed == nil)
      #expect(denied.isAskable == (fallback == .ask))
    }
  }

  /// A person's grant, the limit of a rule, and whether a person could grant more.
  static let askable: [(AuthorizationLevel, Precision, cap: Precision, Bool)] = [
    (.whenInUse, .reduced, .precise, true),
    (.whenInUse, .precise, .precise, true),
    (.always, .reduced, .precise, true),
    (.always, .precise, .precise, false),
    (.whenInUse, .reduced, .reduced, true),
    (.always, .reduced, .reduced, false),
    (.always, .precise, .reduced, false),
  ]

  @Test("More can be requested while a person could grant more", arguments: askable)
  func asking(level: AuthorizationLevel, precision: Precision, cap: Precision, isAskable: Bool) {
    let rule = AccessRule.on("cap") { ($0.user, $0.precision) = ("ada", cap) }
    let decision = Decision(user: "ada", level: level, precision: precision, at: .zero)
    let access = self.access(rules: [rule], decision: decision)
    #expect(access.isAskable == isAskable)
    #expect(access.ceiling == cap)
    #expect(access.authorization.precision == min(precision, cap))
    #expect(!self.access(rules: [rule], decision: decision, fallback: .deny).isAskable)
  }

  // MARK: Default

  @Test(
    "Without a rule and a decision the default counts",
    arguments: [
      (.allow, .always, .precise, "default"), (.reduced, .always, .reduced, "default"),
      (.ask, .notDetermined, .precise, nil), (.deny, .restricted, .precise, "default"),
    ] as [(AccessPolicy.Fallback, Authorization.State, Precision, String?)])
  func fallback(fallback: AccessPolicy.Fallback, state: Authorization.State, precision: Precision, rule: String?) {
    let access = self.access(fallback: fallback)
    #expect(access.authorization.state == state)
    #expect(access.authorization.precision == precision)
    #expect(access.authorization.rule == rule)
    #expect(access.isAskable == (fallback == .ask))
    #expect(access.agent == .none && !access.isAdministrator && access.wake.isEmpty && access.minInterval == .zero)
  }

  @Test("The limit of a rule without a grant also limits the default")
  func cappedFallback() {
    let rule = AccessRule.on("cap") { ($0.user, $0.precision) = ("ada", .reduced) }
    #expect(self.access(rules: [rule], fallback: .allow).feed?.precision == .reduced)
  }

  // MARK: Root

  @Test(
    "Root has everything without a rule, whatever the default and a decision",
    arguments: AccessPolicy.Fallback.allCases)
  func root(fallback: AccessPolicy.Fallback) {
    let access = self.access(
      of: Self.root, decision: Decision(user: "root", level: nil, at: .zero), fallback: fallback)
    #expect(access.authorization == Authorization(state: .always))
    #expect(access.feed == .everything)
    #expect(access.isAdministrator)
    #expect(access.agent == .none)
    #expect(!access.isAskable)
  }

  @Test("A rule for root applies to root, but root stays an administrator")
  func ruledRoot() {
    let deny = AccessRule.on("deny") { ($0.group, $0.grant) = (.number(0), .deny) }
    let denied = self.access(of: Self.root, rules: [deny])
    #expect(denied.authorization.state == .restricted)
    #expect(denied.isAdministrator)
    let terms = AccessRule.on("terms") { ($0.user, $0.precision, $0.agent) = ("root", .reduced, .all) }
    let ruled = self.access(of: Self.root, rules: [terms])
    #expect(ruled.authorization.state == .always && ruled.authorization.precision == .reduced)
    #expect(ruled.agent == .all)
    #expect(ruled.isAdministrator)
  }

  // MARK: Switches

  @Test(
    "Each of the two switches applies to everybody, root too, and the result names it",
    arguments: [
      (false, true, ["enabled=yes in [authorization]", "systemctl reload positiond"]), (true, false, ["auth enable"]),
      (false, false, ["enabled=yes", "auth enable"]),
    ])
  func switches(isEnabled: Bool, isSwitchedOn: Bool, words: [String]) throws {
    var policy = AccessPolicy()
    policy.isEnabled = isEnabled
    policy.rules = [
      .on("all") {
        ($0.user, $0.grant, $0.isAdministrator, $0.agent) = ("ada", .always, true, .own)
      }
    ]
    for client in [Self.ada, Self.root, Self.lost, Principal(uid: 61200)] {
      let access = policy.access(of: client, decision: nil, isSwitchedOn: isSwitchedOn)
      #expect(access.authorization.state == .disabled)
      #expect(access.authorization.rule == nil)
      #expect(access.feed == nil)
      #expect(!access.isAskable)
      #expect(access.isAdministrator == (client.user != nil))
      let remedy = try #require(access.authorization.remedy)
      for word in words { #expect(remedy.contains(word)) }
    }
  }

  // MARK: Keeping

  @Test(
    "Nothing is stored for users without a name, or with a dynamic number",
    arguments: [
      (Principal(uid: 1000, user: "ada"), true), (Principal(uid: 0, user: "root"), true), (Principal(uid: 1000), false),
      (Principal(uid: 61183, user: "a"), true), (Principal(uid: 61184, user: "a"), false),
      (Principal(uid: 65519, user: "a"), false), (Principal(uid: 65520, user: "a"), true),
    ])
  func keeping(principal: Principal, mayKeep: Bool) {
    #expect(principal.mayKeep == mayKeep)
  }

  private func access(
    of principal: Principal = ada, rules: [AccessRule] = [], decision: Decision? = nil,
    fallback: AccessPolicy.Fallback = .ask
  ) -> Access {
    var policy = AccessPolicy()
    policy.rules = rules
    policy.fallback = fallback
    return policy.access(of: principal, decision: decision, isSwitchedOn: true)
  }
}

extension AccessRule {
  static func on(_ name: String = "rule", _ set: (inout AccessRule) -> Void) -> AccessRule {
    var rule = AccessRule(name: name)
    set(&rule)
    return rule
  }
}

extension Instant {
  static let zero = Instant(sinceBoot: .zero)
}
