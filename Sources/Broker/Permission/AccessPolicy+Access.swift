package import Positioning

extension AccessPolicy {
  /// The name for `default=`, which decides if no rule does. No rule may have this name.
  package static let fallbackRule = "default"

  /// What the client may know and do.
  ///
  /// - Parameters:
  ///   - decision: A person's decision for the user's number. It holds only for the name for which it was made.
  ///   - isSwitchedOn: The switch that an administrator turns while the daemon runs.
  ///   - unread: Why the switch is off though nobody turned it off.
  package func access(
    of principal: Principal, decision: Decision?, isSwitchedOn: Bool, unread: String? = nil
  ) -> Access {
    var access = self.ruled(principal, decision)
    if principal.isRoot { access.isAdministrator = true }
    if principal.relay != nil { access.limitToConnection(Remedy.relayed) }
    if principal.subordinate != nil { access.limitToConnection(Remedy.subordinate(principal)) }
    if !self.isEnabled || !isSwitchedOn {
      access.authorization.state = .disabled
      access.authorization.rule = nil
      access.authorization.remedy = Remedy.switchedOff(
        isEnabled: self.isEnabled, isSwitchedOn: isSwitchedOn, unread: unread)
      access.isAskable = false
    }
    return access
  }

  /// The access while both master switches are on.
  private func ruled(_ principal: Principal, _ decision: Decision?) -> Access {
    for rule in self.rules where rule.grant == .deny {
      switch rule.matchForDenial(principal) {
      case .no: continue
      case .yes: return rule.denial(of: principal, because: nil)
      case .unknown(let fact): return rule.denial(of: principal, because: fact)
      }
    }
    // Denying rules were checked with every unknown fact counted against the client, so none is left that matches.
    let place = self.rules.firstIndex { $0.match(principal) == .yes }
    let rule = place.map { self.rules[$0] }
    var access =
      rule.flatMap { rule in rule.grant.flatMap { rule.granting($0) } }
      ?? self.unruled(principal, decision, rule: rule)
    if let rule { access.applyRestrictions(of: rule) }
    // The process gave up the group that a rule is for. It gets no more than that rule would have given.
    let escaped = self.rules[..<(place ?? self.rules.endIndex)].first {
      $0.matchForLimit(principal) == .yes
    }
    if let escaped { access.limit(to: escaped) }
    return access
  }

  /// The access by root, a person, or else the default, limited by the matching rule.
  private func unruled(_ principal: Principal, _ decision: Decision?, rule: AccessRule?) -> Access {
    let ceiling = rule?.precision ?? .precise
    var access = Access(authorization: Authorization(state: .notDetermined, precision: ceiling), ceiling: ceiling)
    if principal.isRoot {
      access.authorization.state = .always
      access.authorization.remedy = rule.flatMap { Remedy.shortOf(rule: $0) }
    } else if let decision, decision.user == principal.user {
      self.take(decision, rule: rule, into: &access)
    } else {
      self.takeFallback(of: principal, rule: rule, into: &access)
      // The lookup failed, so the user counts as the one that was denied.
      if let decision, principal.user == nil { self.takeAway(decision, rule: rule, into: &access) }
    }
    return access
  }

  /// The effect of a denial on a user who may be the one it is for.
  private func takeAway(_ decision: Decision, rule: AccessRule?, into access: inout Access) {
    guard access.authorization.state.isGranted else { return }
    var decided = access
    self.take(decision, rule: rule, into: &decided)
    let isLess = decided.authorization.state != access.authorization.state
    let precision = min(access.authorization.precision, decided.authorization.precision)
    if isLess || precision < access.authorization.precision {
      access.authorization = decided.authorization
      access.authorization.precision = precision
      access.authorization.rule = nil
    }
  }

  private func take(_ decision: Decision, rule: AccessRule?, into access: inout Access) {
    guard let level = decision.level else {
      access.authorization.state = .denied
      access.isAskable = self.fallback == .ask
      access.authorization.remedy = Remedy.denied(user: decision.user, isAskable: access.isAskable)
      return
    }
    access.authorization.state = level.state
    access.authorization.precision = min(decision.precision, access.ceiling)
    let isShort = level < .always || decision.precision < access.ceiling
    access.isAskable = isShort && self.fallback == .ask
    let short = isShort ? Remedy.shortOf(decisionFor: decision.user, isAskable: access.isAskable) : nil
    access.authorization.remedy = short ?? rule.flatMap { Remedy.shortOf(rule: $0) }
  }

  private func takeFallback(of principal: Principal, rule: AccessRule?, into access: inout Access) {
    switch self.fallback {
    case .allow where principal.isOwnerUnknown, .reduced where principal.isOwnerUnknown:
      access.authorization.state = .restricted
      access.authorization.rule = Self.fallbackRule
      access.authorization.remedy = Remedy.unowned(principal)
    case .allow, .reduced:
      access.authorization.state = .always
      access.authorization.rule = Self.fallbackRule
      if self.fallback == .reduced, access.ceiling == .precise {
        access.authorization.precision = .reduced
        access.authorization.remedy = Remedy.unruled(principal)
      } else {
        access.authorization.remedy = rule.flatMap { Remedy.shortOf(rule: $0) }
      }
    case .ask:
      // A user without a name is not asked about: whoever has a range of numbers could cause a prompt for each of them.
      access.isAskable = principal.user != nil
      access.authorization.remedy =
        access.isAskable ? "\(Remedy.unruled(principal)); or an agent answers for this user" : Remedy.unruled(principal)
    case .deny:
      access.authorization.state = .restricted
      access.authorization.rule = Self.fallbackRule
      access.authorization.remedy = Remedy.unruled(principal)
    }
  }

  /// Whether a failed lookup could change what the rules give the user.
  ///
  /// - Parameters:
  ///   - decision: The decision of a person or an administrator for the user.
  ///   - isMissing: Whether the lookup found no such user, so that its groups may be unknown too.
  func isInDoubt(of principal: Principal, _ decision: Decision?, isMissing: Bool) -> Bool {
    let denials = self.rules.filter { $0.grant == .deny }.map { $0.matchForDenial(principal) }
    // A rule that certainly denies decides, whatever is unknown.
    guard !denials.contains(.yes) else { return false }
    let first = denials.first { $0 != .no } ?? self.rules.lazy.map { $0.match(principal) }.first { $0 != .no }
    guard isMissing else { return first.map { $0 != .yes } ?? false }
    // A denial decides if no rule can: no matching rule grants, and none is for a group.
    let isDenied = decision.map { $0.level == nil } ?? false
    return !isDenied || first.map { $0 != .yes } ?? false || self.rules.contains { $0.group != nil }
      || self.access(of: principal, decision: decision, isSwitchedOn: true, unread: nil).authorization.state.isGranted
  }
}

extension AccessRule {
  /// If the rule certainly matches the client, its other grants apply.
  fileprivate func denial(of principal: Principal, because fact: UnknownFact?) -> Access {
    var access = Access(
      authorization: Authorization(
        state: .restricted, precision: self.precision, rule: self.name,
        remedy: Remedy.denied(by: self, because: fact, of: principal)),
      ceiling: self.precision)
    if self.match(principal) == .yes { access.applyRestrictions(of: self) }
    return access
  }

  /// `nil`: it does not grant.
  fileprivate func granting(_ grant: GrantedLevel) -> Access? {
    let state: Authorization.State
    switch grant {
    case .deny: return nil
    case .whenInUse: state = .whenInUse
    case .always: state = .always
    }
    return Access(
      authorization: Authorization(
        state: state, precision: self.precision, rule: self.name, remedy: Remedy.shortOf(rule: self)),
      ceiling: self.precision)
  }
}

extension Access {
  /// Everything in a rule apart from its grant and its precision.
  fileprivate mutating func applyRestrictions(of rule: AccessRule) {
    self.minInterval = rule.minInterval
    self.wake = rule.wake
    self.agent = rule.agent
    self.isAdministrator = rule.isAdministrator
    self.isRelay = rule.isRelay
  }

  /// A rule that is for the user, but not for this process: its clients get no more by the process's groups.
  fileprivate mutating func limit(to rule: AccessRule) {
    self.ceiling = min(self.ceiling, rule.precision)
    self.minInterval = max(self.minInterval, rule.minInterval)
    let before = self.authorization
    self.authorization.precision = min(self.authorization.precision, rule.precision)
    if rule.grant == .whenInUse, self.authorization.state == .always { self.authorization.state = .whenInUse }
    guard self.authorization != before, self.authorization.state.isGranted else { return }
    self.authorization.rule = rule.name
    self.authorization.remedy = Remedy.shortOf(rule: rule)
  }

  /// Through a relay, and by a subordinate number, a user has positions and nothing else: what outlives the connection,
  /// and power over others, takes a connection of the user's own.
  fileprivate mutating func limitToConnection(_ remedy: @autoclosure () -> String) {
    if self.authorization.state == .always {
      self.authorization.state = .whenInUse
      self.authorization.remedy = self.authorization.remedy ?? remedy()
    }
    self.wake = []
    self.agent = .none
    self.isAdministrator = false
    self.isRelay = false
  }
}
