/// The level that a rule or a decision grants, or that it denies.
package enum GrantedLevel: String, Hashable, Sendable, CaseIterable {
  case deny, whenInUse, always

  /// - Parameter level: `nil`: it denies.
  package init(_ level: AuthorizationLevel?) {
    switch level {
    case nil: self = .deny
    case .whenInUse: self = .whenInUse
    case .always: self = .always
    }
  }

  /// `nil` if it denies.
  package var level: AuthorizationLevel? {
    switch self {
    case .deny: nil
    case .whenInUse: .whenInUse
    case .always: .always
    }
  }
}
