import Broker
import Positioning

extension AuthorizationLevel: Codable {}
extension Precision: Codable {}

/// A person's answer without its user, in a body.
struct DecisionForm: Codable {
  /// Absent: no.
  private var level: AuthorizationLevel?
  private var precision: Precision
  private var at: MomentForm

  init(_ decision: Decision) {
    self.level = decision.level
    self.precision = decision.precision
    self.at = MomentForm(decision.at)
  }

  func value(user: String, _ placement: Placement) -> Decision {
    Decision(user: user, level: self.level, precision: self.precision, at: placement.past(self.at))
  }
}
