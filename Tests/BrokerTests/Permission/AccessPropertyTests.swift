import Positioning
import Testing

@testable import Broker
@testable import Positioning

/// The policy compared with a direct reading of its documentation without unknown facts: for a failed lookup it tries
/// every possible answer.
@Suite("The policy in every combination") struct AccessPropertyTests {
  @Test("The policy agrees with trying every possible case", arguments: 0..<4 as Range<UInt64>)
  func worlds(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<3000 {
      let policy = AccessPolicy(random: &random)
      let client = Principal(random: &random)
      let decision = random.oneIn(2) ? nil : Decision(random: &random)
      let isSwitchedOn = !random.oneIn(8)
      let found = policy.access(of: client, decision: decision, isSwitchedOn: isSwitchedOn)
      let expected = Worlds(policy: policy, client: client, decision: decision, isSwitchedOn: isSwitchedOn).access
      guard found.withoutWords == expected else {
        Issue.record(
          "seed \(seed): \(policy)\n\(client)\n\(String(describing: decision)), \(isSwitchedOn)\n\(found)\n\(expected)")
        return
      }
    }
  }
}

/// One decision, computed over the possible answers.
private struct Worlds {
  let policy: AccessPolicy
  let client: Principal
  let decision: Decision?
  let isSwitchedOn: Bool

  /// In how many of the cases the rule matches the client.
  private func matches(_ rule: AccessRule, byNumber: Bool) -> (some: Bool, all: Bool) {
    guard rule.user != nil || rule.group != nil || rule.unit != nil else { return (false, false) }
    let names: [String?] = self.client.user.map { [$0] } ?? (Universe.users + [nil])
    let units: [String?] =
      switch self.client.unit {
      case .named(let unit): [unit]
      case .none: [nil]
      case .unknown: Universe.units + [nil]
      }
    let memberships: [Bool] =
      switch rule.group {
      case .number(let number): [self.client.groups.contains(number)]
      case .absent: [false]
      case .unknown: [true, false]
      case nil: [true]
      }
    var outcomes: [Bool] = []
    for name in names {
      for unit in units {
        for isMember in memberships {
          let isUser = rule.user == nil || name == rule.user || (byNumber && rule.uid == self.client.uid)
          outcomes.append(isUser && isMember && (rule.unit == nil || unit == rule.unit))
        }
      }
    }
    return (outcomes.contains(true), !outcomes.contains(false))
  }

  var access: Access {
    let deny = self.policy.rules.first { $0.grant == .deny && self.matches($0, byNumber: true).some }
    let rule = deny ?? self.policy.rules.first { self.matches($0, byNumber: false).all }
    let isSure = rule.map { self.matches($0, byNumber: false).all } ?? false
    var access = Access(authorization: Authorization(state: .notDetermined))
    access.ceiling = rule?.precision ?? .precise
    access.authorization.precision = access.ceiling
    if let rule, isSure {
      access.minInterval = rule.minInterval
      access.wake = rule.wake
      access.agent = rule.agent
      access.isAdministrator = rule.isAdministrator
    }
    let isRoot = self.client.uid == 0
    if isRoot { access.isAdministrator = true }
    if deny != nil {
      access.authorization.state = .restricted
      access.authorization.rule = deny?.name
    } else if let grant = rule?.grant {
      access.authorization.state = grant == .always ? .always : .whenInUse
      access.authorization.rule = rule?.name
    } else if isRoot {
      access.authorization.state = .always
    } else if let decision = self.decision, let user = self.client.user, user == decision.user {
      access.authorization.state = decision.level.map { $0 == .always ? .always : .whenInUse } ?? .denied
      if decision.level != nil, decision.precision == .reduced { access.authorization.precision = .reduced }
      let hasAll = decision.level == .always && access.authorization.precision == access.ceiling
      access.isAskable = self.policy.fallback == .ask && !hasAll
    } else {
      // A client without a name starts no prompt.
      access.isAskable = self.policy.fallback == .ask && self.client.user != nil
      access.authorization.state =
        [.allow: .always, .reduced: .always, .deny: .restricted][self.policy.fallback] ?? .notDetermined
      if self.policy.fallback != .ask { access.authorization.rule = "default" }
      if self.policy.fallback == .reduced { access.authorization.precision = .reduced }
      // It may be the user who was granted less, or nothing.
      if let decision = self.decision, self.client.user == nil, access.authorization.state == .always {
        let before = access.authorization
        access.authorization.state = decision.level.map { $0 == .always ? .always : .whenInUse } ?? .denied
        if decision.level != nil, decision.precision == .reduced { access.authorization.precision = .reduced }
        if access.authorization != before { access.authorization.rule = nil }
      }
    }
    if !self.policy.isEnabled || !self.isSwitchedOn {
      access.isAskable = false
      access.authorization.state = .disabled
      access.authorization.rule = nil
    }
    return access
  }
}

private enum Universe {
  static let users = ["root", "ada", "bob"]
  static let units = ["a.service", "b.service"]
  static let groups: [UInt32] = [0, 7, 8]
  static let uids: [UInt32] = [0, 1000, 1001, 61200]
}

extension Access {
  fileprivate var withoutWords: Access {
    var access = self
    access.authorization.remedy = nil
    return access
  }
}

extension AccessPolicy {
  fileprivate init(random: inout SeededRandom) {
    self.init()
    self.isEnabled = !random.oneIn(10)
    self.fallback = Fallback.allCases.randomElement(using: &random) ?? .ask
    self.rules = (0..<Int.random(in: 0...4, using: &random)).map { AccessRule(number: $0, random: &random) }
  }
}

extension AccessRule {
  fileprivate init(number: Int, random: inout SeededRandom) {
    self.init(name: "rule\(number)")
    if random.oneIn(2) {
      self.user = Universe.users.randomElement(using: &random)
      if !random.oneIn(3) { self.uid = Universe.uids.randomElement(using: &random) }
    }
    if random.oneIn(2) {
      let number = Universe.groups.randomElement(using: &random) ?? 0
      self.group = ([.number(number), .number(number), .absent, .unknown] as [GroupSelector]).randomElement(
        using: &random)
    }
    if random.oneIn(3) { self.unit = Universe.units.randomElement(using: &random) }
    self.grant = ([nil, .deny, .whenInUse, .always, .always] as [GrantedLevel?]).randomElement(using: &random) ?? nil
    if random.oneIn(2) { self.precision = .reduced }
    if random.oneIn(2) { self.minInterval = .seconds(Int.random(in: 1...99, using: &random)) }
    if random.oneIn(2) { self.wake = ["w\(number).service"] }
    self.agent = AgentScope.allCases.randomElement(using: &random) ?? .none
    self.isAdministrator = random.oneIn(3)
  }
}

extension Principal {
  fileprivate init(random: inout SeededRandom) {
    self.init(
      uid: Universe.uids.randomElement(using: &random) ?? 0, groups: Universe.groups.filter { _ in random.oneIn(2) },
      user: random.oneIn(4) ? nil : Universe.users.randomElement(using: &random),
      unit: ([.none, .unknown, .named("a.service"), .named("b.service")] as [PeerUnit]).randomElement(using: &random)
        ?? .none)
  }
}

extension Decision {
  fileprivate init(random: inout SeededRandom) {
    self.init(
      user: Universe.users.randomElement(using: &random) ?? "ada",
      level: ([nil, .whenInUse, .always] as [AuthorizationLevel?]).randomElement(using: &random) ?? nil,
      precision: random.oneIn(2) ? .reduced : .precise, at: .zero)
  }
}
