import PositionClient
import PositionProtocol
import Printable

/// Permission as people read it.
enum AuthorizationFormat {
  static func lines(_ authorization: AuthorizationObject) -> [String] {
    var rows = [("Permission", "\(authorization.state.words) (\(authorization.state.rawValue))")]
    if authorization.isGranted { rows.append(("Precision", authorization.precision.words)) }
    if let rule = authorization.rule { rows.append(("Rule", rule)) }
    if let remedy = authorization.remedy { rows.append(("To change", PermissionAdvice.words(remedy))) }
    return rows.map { "\($0.0.padded(10))  \($0.1)" }
  }

  /// In a few words, with the rule that decided.
  static func words(_ authorization: AuthorizationObject) -> String {
    let rule = authorization.rule.map { " by rule \($0)" } ?? ""
    let precision = authorization.isGranted ? ", \(authorization.precision.words)" : ""
    return "\(authorization.state.words)\(precision)\(rule)"
  }

  /// For a decision that applies but would be lost with the daemon.
  static let unstored = "in effect, but not saved yet: writing to the disk failed"

  /// The decision for one user.
  static func line(_ grant: GrantObject) -> String {
    let precision = grant.precision.map { ", \($0.words)" } ?? ""
    return "\(PrincipalFormat.user(grant.user, uid: grant.uid)): \(grant.level.words)\(precision)"
      + (grant.stored == false ? "; \(self.unstored)" : "")
  }

  static func line(_ client: ClientObject) -> String {
    "\(PrincipalFormat.line(client.principal)): \(self.words(client.authorization)); "
      + client.requests.counted("request", "requests") + ", "
      + client.subscriptions.counted("subscription", "subscriptions") + ", "
      + client.regions.counted("region", "regions")
  }
}

extension AuthorizationObject.State {
  var words: String {
    switch self {
    case .notDetermined: "not decided yet"
    case .denied: "denied by a person"
    case .restricted: "denied by a rule"
    case .disabled: "positions are turned off"
    case .whenInUse: "granted while connected"
    case .always: "always granted"
    }
  }
}

extension AuthorizationObject.Precision {
  var words: String {
    switch self {
    case .precise: "precise"
    case .reduced: "reduced to a few kilometres"
    }
  }
}

extension AuthorizationObject.Level {
  var words: String {
    switch self {
    case .whenInUse: "while connected"
    case .always: "always, even when not connected"
    }
  }
}

extension GrantObject.Level {
  var words: String {
    switch self {
    case .deny: "denied"
    case .whenInUse: "granted while connected"
    case .always: "always granted"
    }
  }
}
