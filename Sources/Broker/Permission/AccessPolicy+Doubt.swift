import Positioning

extension AccessPolicy {
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
