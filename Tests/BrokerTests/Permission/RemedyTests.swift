import Testing

@testable import Broker
@testable import Positioning

@Suite("The remedy that a client gets") struct RemedyTests {
  static let ada = Principal(uid: 1000, user: "ada")
  static let byRule = "an administrator changes [rule r] in positiond.conf, then systemctl reload positiond"

  @Test("The remedy names the rule that denies, and what an administrator can change")
  func rules() {
    let cases: [(AccessRule, Principal, String?)] = [
      (.on("r") { ($0.user, $0.grant) = ("ada", .deny) }, Self.ada, Self.byRule),
      (.on("r") { ($0.user, $0.grant) = ("ada", .whenInUse) }, Self.ada, Self.byRule),
      (.on("r") { ($0.user, $0.grant, $0.precision) = ("ada", .always, .reduced) }, Self.ada, Self.byRule),
      (.on("r") { ($0.user, $0.grant) = ("ada", .always) }, Self.ada, nil),
      (
        .on("r") { ($0.unit, $0.grant) = ("a.service", .deny) }, Principal(uid: 1000, user: "ada", unit: .unknown),
        "that rule counts because the system cannot say to which unit this program belongs; \(Self.byRule)"
      ),
      (
        .on("r") { ($0.group, $0.grant) = (.unknown, .deny) }, Self.ada,
        "that rule counts because the system cannot say which group it names; \(Self.byRule)"
      ),
      (
        .on("r") { ($0.user, $0.grant) = ("bob", .deny) }, Principal(uid: 1234),
        "that rule counts because the system cannot say what user 1234 is called; \(Self.byRule)"
      ),
    ]
    for (rule, client, remedy) in cases {
      #expect(self.remedy(for: client, rules: [rule]) == remedy)
    }
  }

  @Test("Without a rule the remedy is the package's group, or an agent")
  func ruleless() {
    let adduser = "adduser ada position, and a new login"
    #expect(self.remedy(for: Self.ada) == "\(adduser); or an agent answers for this user")
    #expect(self.remedy(for: Self.ada, fallback: .reduced) == adduser)
    #expect(self.remedy(for: Self.ada, fallback: .deny) == adduser)
    #expect(self.remedy(for: Self.ada, fallback: .allow) == nil)
  }

  @Test("A user that cannot be in a group gets a rule for its unit as the remedy")
  func dynamicUsers() {
    let beginning = "an administrator writes a rule with unit="
    let end = "belongs to, then systemctl reload positiond"
    #expect(
      self.remedy(for: Principal(uid: 61200, user: "map", unit: .named("map.service")), fallback: .deny)
        == "\(beginning)map.service and grant=always into positiond.conf for the unit that user map \(end)")
    #expect(
      self.remedy(for: Principal(uid: 1234), fallback: .deny)
        == "\(beginning)NAME.service and grant=always into positiond.conf for the unit that user 1234 \(end)")
  }

  @Test("A person's decision can be changed by a person or an administrator")
  func decisions() {
    let no = Decision(user: "ada", level: nil, at: .zero)
    let revoke = "an administrator removes the answer with positionctl auth revoke ada"
    #expect(self.remedy(for: Self.ada, decision: no) == "positionctl auth request --force asks again; or \(revoke)")
    #expect(self.remedy(for: Self.ada, decision: no, fallback: .allow) == revoke)
    let some = Decision(user: "ada", level: .whenInUse, at: .zero)
    let grant = "an administrator grants more with positionctl auth grant ada"
    #expect(self.remedy(for: Self.ada, decision: some) == "positionctl auth request asks for more; or \(grant)")
    #expect(self.remedy(for: Self.ada, decision: some, fallback: .deny) == grant)
    let all = Decision(user: "ada", level: .always, at: .zero)
    #expect(self.remedy(for: Self.ada, decision: all) == nil)
    let cap = AccessRule.on("r") { ($0.user, $0.precision) = ("ada", .reduced) }
    #expect(self.remedy(for: Self.ada, rules: [cap], decision: all) == Self.byRule)
  }

  private func remedy(
    for client: Principal, rules: [AccessRule] = [], decision: Decision? = nil, fallback: AccessPolicy.Fallback = .ask
  ) -> String? {
    var policy = AccessPolicy()
    policy.rules = rules
    policy.fallback = fallback
    return policy.access(of: client, decision: decision, isSwitchedOn: true).authorization.remedy
  }
}
