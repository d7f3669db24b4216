import PositionClient
import Positioning
import Printable
import Prompts

/// The text form of authorizations and grants.
enum AuthorizationFormat {
  static func lines(_ authorization: Authorization) -> [String] {
    var rows = [("Permission", "\(authorization.state.text) (\(authorization.state.rawValue))")]
    if authorization.isGranted { rows.append(("Precision", authorization.precision.text)) }
    if let rule = authorization.rule { rows.append(("Rule", rule)) }
    if let remedy = authorization.remedy { rows.append(("To change", PermissionAdvice.text(remedy))) }
    return rows.map { "\($0.0.padded(10))  \($0.1)" }
  }

  /// In a few words, with the rule that decided.
  static func text(_ authorization: Authorization) -> String {
    let rule = authorization.rule.map { " by rule \($0)" } ?? ""
    let precision = authorization.isGranted ? ", \(authorization.precision.text)" : ""
    return "\(authorization.state.text)\(precision)\(rule)"
  }

  /// For a decision that applies but would be lost with the daemon.
  static let unstored = "in effect, but not saved yet: writing to the disk failed"

  /// The decision for one user.
  static func line(_ grant: Grant) -> String {
    "\(PromptText.user(grant.decision.user, uid: grant.uid)): \(self.text(grant.decision))"
      + (grant.isStored ? "" : "; \(self.unstored)")
  }

  private static func text(_ decision: Decision) -> String {
    guard let level = decision.level else { return "denied" }
    return "\(level.state.text), \(decision.precision.text)"
  }

  static func line(_ client: ClientInfo) -> String {
    "\(PrincipalFormat.line(client.principal)): \(self.text(client.authorization)); "
      + client.requests.counted("request", "requests") + ", "
      + client.subscriptions.counted("subscription", "subscriptions") + ", "
      + client.regions.counted("region", "regions")
  }
}

extension Authorization.State {
  var text: String {
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
