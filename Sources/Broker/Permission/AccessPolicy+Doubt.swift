import Positioning

extension AccessPolicy {
  /// Whether something that the system cannot say may give the user something else than its rules give it now.
  ///
  /// - Parameters:
  ///   - decision: what a person or an administrator decided for the user.
  ///   - isMissing: whether the system does not say that there is such a user, so that its groups may be unknown too.
  func isInDoubt(of principal: Principal, _ decision: Decision?, isMissing: Bool) -> Bool {
    let denials = self.rules.filter { $0.grant == .deny }.map { $0.matchForDenial(principal) }
    // One that surely denies decides, whatever is unknown.
    guard !denials.contains(.yes) else { return false }
    let first = denials.first { $0 != .no } ?? self.rules.lazy.map { $0.match(principal) }.first { $0 != .no }
    guard isMissing else { return first.map { $0 != .yes } ?? false }
    // A no decides where no rule can: none that is for the user grants, and none is for a group.
    let isDenied = decision.map { $0.level == nil } ?? false
    return !isDenied || first.map { $0 != .yes } ?? false || self.rules.contains { $0.group != nil }
      || self.access(of: principal, decision: decision, isSwitchedOn: true, unread: nil).authorization.state.isGranted
  }
}
