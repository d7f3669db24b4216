extension AccessPolicy {
  /// Whether something that the system cannot say may give the client more than its rules give it now.
  func isInDoubt(of principal: Principal) -> Bool {
    let denials = self.rules.filter { $0.grant == .deny }.map { $0.matchForDenial(principal) }
    // One that surely denies decides, whatever is unknown.
    guard !denials.contains(.yes) else { return false }
    let first = denials.first { $0 != .no } ?? self.rules.lazy.map { $0.match(principal) }.first { $0 != .no }
    return first.map { $0 != .yes } ?? false
  }
}
