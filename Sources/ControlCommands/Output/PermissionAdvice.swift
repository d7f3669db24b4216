/// The text form of advice on how to get permission.
enum PermissionAdvice {
  /// The daemon's remedy; if that is to join the group `position`, also the way that works without a new login.
  static func text(_ remedy: String) -> String {
    guard let match = remedy.firstMatch(of: /adduser (?<user>\S+) position, and a new login/) else { return remedy }
    return remedy.replacing(match.output.0, with: self.forUser(match.output.user))
  }

  static func forUser(_ user: some StringProtocol) -> String {
    "sudo positionctl auth grant \(user), which works at once; or sudo adduser \(user) position, and a new login"
  }
}
