import Positioning

/// Why a client is denied something, as texts for those who can change it.
extension BrokerParts {
  /// The failure that every call with this requirement would get; `nil` if it might succeed, or a person might be
  /// asked.
  func certainDenial(of call: CallID, _ requirement: Call.Requirement) -> CallFailure? {
    guard let failure = self.denial(requirement, of: call), let client = self.clients[call.client] else {
      return nil
    }
    let isAskable = client.access.authorization.state == .notDetermined && client.access.isAskable
    guard requirement != .administrator, isAskable else { return failure }
    return self.prompts.agents.contains { self.mayAnswer($0, for: client.principal) } ? nil : failure
  }

  /// Why the client is denied calls with this requirement; `nil`: it is not.
  func denial(_ requirement: Call.Requirement, of call: CallID) -> CallFailure? {
    // Most calls pass here, without a copy of all that is known of the client.
    if requirement == .position, self.clients[call.client]?.access.authorization.state.isGranted ?? false { return nil }
    guard requirement != .nothing, let client = self.clients[call.client] else { return nil }
    let access = client.access
    switch requirement {
    case .nothing: return nil
    case .administrator:
      guard !access.isAdministrator else { return nil }
      return .restricted(
        what: "this is for administrators", rule: access.authorization.rule,
        remedy: "root asks, or a client whose rule in positiond.conf has admin=yes")
    case .position: return access.authorization.state.isGranted ? nil : self.denial(access, of: client)
    case .precise: return self.precisionDenial(access, of: client)
    case .durable: return self.durationDenial(access, of: client, call)
    case .preciseDurable:
      return self.durationDenial(access, of: client, call) ?? self.precisionDenial(access, of: client)
    }
  }

  func precisionDenial(_ access: Access, of client: Client) -> CallFailure? {
    guard access.authorization.state.isGranted else { return self.denial(access, of: client) }
    guard access.authorization.precision == .reduced else { return nil }
    return .accuracyLimited(
      what: "satellites, headings and visits reveal more than a reduced position",
      remedy: access.authorization.remedy ?? Self.precisionRemedy)
  }

  private func durationDenial(_ access: Access, of client: Client, _ call: CallID) -> CallFailure? {
    let authorization = access.authorization
    let remedy = authorization.remedy ?? "an administrator gives this user grant=always in a rule of positiond.conf"
    switch authorization.state {
    case .always:
      guard self.holderAccess(of: call) == nil else { return nil }
      return .restricted(
        what: "what outlives a connection belongs to a user, and only a unit of this user may always know the position",
        rule: authorization.rule, remedy: "an administrator gives the user, or a group of it, grant=always in a rule")
    case .whenInUse:
      let what = "the position may be known while connected only"
      if let rule = authorization.rule { return .restricted(what: what, rule: rule, remedy: remedy) }
      return .denied(what: what, at: self.decision(of: client)?.at, remedy: remedy)
    case .notDetermined, .denied, .restricted, .disabled: return self.denial(access, of: client)
    }
  }

  /// Why a client without a grant is denied.
  func denial(_ access: Access, of client: Client) -> CallFailure {
    let authorization = access.authorization
    let remedy = authorization.remedy ?? ""
    switch authorization.state {
    case .notDetermined: return .notDetermined(remedy: remedy)
    case .disabled: return .switchedOff(remedy: remedy)
    case .denied: return .denied(what: "a person answered no", at: self.decision(of: client)?.at, remedy: remedy)
    case .restricted, .whenInUse, .always:
      let rule = authorization.rule
      return .restricted(
        what: rule.map { "rule \($0) does not let this client know the position" }
          ?? "the position is not for this client",
        rule: rule, remedy: remedy)
    }
  }

  func precisionFailure(for call: CallID, what: String) -> CallFailure {
    let remedy = self.clients[call.client]?.access.authorization.remedy
    return .accuracyLimited(
      what: "\(what) is more than a reduced position reveals", remedy: remedy ?? Self.precisionRemedy)
  }

  private static let precisionRemedy = "an administrator sets precision=precise in the rule in positiond.conf"

  func decision(of client: Client) -> Decision? {
    client.decision ?? self.permissions.decision(for: client.principal.uid)
  }

  func limit(_ access: Access) -> SensitivityLimit {
    SensitivityLimit(precision: access.feed?.precision, denial: self.lateDenial(access))
  }

  /// The failure that replaces an answer that may not be given any more.
  private func lateDenial(_ access: Access) -> CallFailure {
    let authorization = access.authorization
    let remedy = authorization.remedy ?? ""
    switch authorization.state {
    case .whenInUse, .always:
      return .accuracyLimited(what: "the position was made rough meanwhile", remedy: remedy)
    case .notDetermined: return .notDetermined(remedy: remedy)
    case .disabled: return .switchedOff(remedy: remedy)
    case .denied: return .denied(what: "a person answered no", at: nil, remedy: remedy)
    case .restricted:
      return .restricted(
        what: "the position is not for this client any more", rule: authorization.rule, remedy: remedy)
    }
  }
}
