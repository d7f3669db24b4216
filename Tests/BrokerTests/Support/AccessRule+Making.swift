import Positioning

@testable import Broker

extension AccessRule {
  /// Grants a user everything, and lets its events start a unit.
  static func waking(_ unit: String, user: String) -> AccessRule {
    var rule = AccessRule(name: "waking")
    rule.user = user
    rule.grant = .always
    rule.wake = [unit]
    return rule
  }

  /// Makes a user an administrator with full access.
  static func administering(user: String) -> AccessRule {
    var rule = AccessRule(name: "administering")
    rule.user = user
    rule.grant = .always
    rule.isAdministrator = true
    return rule
  }

  /// Grants a user a level.
  static func granting(
    _ grant: GrantedLevel?, _ precision: Precision = .precise, user: String, minInterval: Double = 0,
    agent: AgentScope = .none
  ) -> AccessRule {
    var rule = AccessRule(name: "\(user)s")
    rule.user = user
    rule.grant = grant
    rule.precision = precision
    rule.minInterval = .seconds(minInterval)
    rule.agent = agent
    return rule
  }
}

extension VirtualDaemon {
  /// A daemon with one rule for client 1 only.
  static func granting(_ grant: GrantedLevel?, _ precision: Precision = .precise) -> VirtualDaemon {
    var settings = BrokerSettings()
    settings.access.rules = [.granting(grant, precision, user: "user1001")]
    return VirtualDaemon(settings: settings)
  }
}

extension [Action] {
  func authorizations(of client: UInt64 = 1) -> [Authorization.State] {
    self.compactMap { action in
      if case .notify(ClientID(client), .authorization(let new, previous: _)) = action { new.state } else { nil }
    }
  }

  func prompts(to agent: UInt64) -> [Prompt] {
    self.compactMap { action in
      if case .ask(ClientID(agent), let prompt) = action { prompt } else { nil }
    }
  }

  func withdrawals(from agent: UInt64) -> [PromptID] {
    self.compactMap { action in
      if case .withdraw(ClientID(agent), let prompt) = action { prompt } else { nil }
    }
  }
}
