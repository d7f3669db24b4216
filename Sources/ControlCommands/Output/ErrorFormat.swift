import JSONRPC
import PositionClient
import Positioning

/// The text form of errors.
enum ErrorFormat {
  /// The error; for a parameter, its name and what the daemon expected.
  static func line(_ error: PositionError) -> String {
    guard let rpc = error.rpcError, rpc.code == .invalidParams, case .string(let path)? = rpc.data?["path"],
      case .string(let expected)? = rpc.data?["expected"]
    else { return "\(error)" }
    guard case .string(let found)? = rpc.data?["found"], found != self.unnamed else {
      return "invalid \(path): expected \(expected)"
    }
    return "invalid \(path): \(found), expected \(expected)"
  }

  /// The daemon's text for a found value that it does not name.
  static let unnamed = "a value that does not fit"
}

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

/// The text form of a client: the kernel's facts first, then the program's own statements.
enum PrincipalFormat {
  static func line(_ principal: Principal) -> String {
    var text = principal.user ?? "uid \(principal.uid)"
    if let number = principal.subordinate { text += " as uid \(number)" }
    if let pid = principal.pid { text += ", process \(pid)" }
    if let unit = principal.unit.name { text += ", \(unit)" }
    let own = [principal.name, principal.purpose].compactMap { $0 }.map { "\"\($0)\"" }
    return own.isEmpty ? text : "\(text), calls itself \(own.joined(separator: ", for "))"
  }
}
