import Positioning

/// Why a client with this access is denied something, as texts for those who can change it.
///
/// `answered`: when a person answered for it, or an administrator decided for its user.
extension Access {
  private static let precisionRemedy = "an administrator sets precision=precise in the rule in positiond.conf"

  /// The denial of a client to whom nothing is granted.
  func denial(answered: Instant?) -> CallFailure {
    let rule = self.authorization.rule
    return self.denial(
      answered: answered,
      restricted: rule.map { "rule \($0) does not let this client know the position" }
        ?? "the position is not for this client")
  }

  private func denial(answered: Instant?, restricted: String) -> CallFailure {
    let remedy = self.authorization.remedy ?? ""
    switch self.authorization.state {
    case .notDetermined: return .notDetermined(remedy: remedy)
    case .disabled: return .switchedOff(remedy: remedy)
    case .denied: return .denied(what: "a person answered no", at: answered, remedy: remedy)
    case .restricted, .whenInUse, .always:
      return .restricted(what: restricted, rule: self.authorization.rule, remedy: remedy)
    }
  }

  var administrationDenial: CallFailure? {
    self.isAdministrator
      ? nil
      : .restricted(
        what: "this is for administrators", rule: self.authorization.rule,
        remedy: "root asks, or a client whose rule in positiond.conf has admin=yes")
  }

  func precisionDenial(answered: Instant?) -> CallFailure? {
    guard self.authorization.state.isGranted else { return self.denial(answered: answered) }
    guard self.authorization.precision == .reduced else { return nil }
    return .accuracyLimited(
      what: "satellites, headings and visits reveal more than a reduced position",
      remedy: self.authorization.remedy ?? Self.precisionRemedy)
  }

  /// - Parameter isHolder: Whether its user may hold what outlives a connection.
  func durationDenial(answered: Instant?, isHolder: Bool) -> CallFailure? {
    let rule = self.authorization.rule
    switch self.authorization.state {
    case .always where isHolder: return nil
    case .always:
      return .restricted(
        what: "what outlives a connection belongs to a user, and only a unit of this user may always know the position",
        rule: rule, remedy: "an administrator gives the user, or a group of it, grant=always in a rule")
    case .whenInUse:
      let what = "the position may be known while connected only"
      let remedy =
        self.authorization.remedy ?? "an administrator gives this user grant=always in a rule of positiond.conf"
      if let rule { return .restricted(what: what, rule: rule, remedy: remedy) }
      return .denied(what: what, at: answered, remedy: remedy)
    case .notDetermined, .denied, .restricted, .disabled: return self.denial(answered: answered)
    }
  }

  func precisionFailure(_ what: String) -> CallFailure {
    .accuracyLimited(
      what: "\(what) is more than a reduced position reveals",
      remedy: self.authorization.remedy ?? Self.precisionRemedy)
  }

  /// What may be sent to the client, including what waits already, and what replaces the rest.
  var limit: SensitivityLimit {
    let denial: CallFailure =
      self.authorization.state.isGranted
      ? .accuracyLimited(what: "the position was made rough meanwhile", remedy: self.authorization.remedy ?? "")
      : self.denial(answered: nil, restricted: "the position is not for this client any more")
    return SensitivityLimit(precision: self.feed?.precision, denial: denial)
  }
}
