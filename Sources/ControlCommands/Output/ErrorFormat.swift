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

/// The JSON form of errors, for programs: `{"error":{"code":-32004,"name":"notDetermined","message":"...","remedy":"..."}}`.
struct ErrorObject: WireValue {
  /// The daemon's code; absent for what the daemon has not said.
  var code: Int?
  /// A word for programs.
  var name: String
  var message: String
  /// What to do; absent if nothing would help.
  var remedy: String?

  init(_ error: PositionError) {
    let code = error.rpcError?.code
    self.code = code?.rawValue
    self.name = RPCError.Code.named.first { $0.code == code }?.name ?? error.name
    self.message = ErrorFormat.line(error)
    self.remedy = error.advice.map { PermissionAdvice.text($0) }
  }

  /// An error of the command itself.
  init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  static let codec: Codec<ErrorObject> = .written { error, writer in
    var members: [String: JSONValue] = ["name": .string(error.name), "message": .string(error.message)]
    members["code"] = error.code.map { .integer($0) }
    members["remedy"] = error.remedy.map { .string($0) }
    writer.key("error")
    JSONValue.codec.write(.object(members), &writer)
  }
}

extension PositionError {
  /// The word for an error that has no code of the daemon.
  fileprivate var name: String {
    switch self {
    case .daemonNotRunning: "daemonNotRunning"
    case .notAllowedToConnect: "notAllowedToConnect"
    case .cannotConnect: "cannotConnect"
    case .connectionLost: "connectionLost"
    case .closed: "closed"
    case .cancelled: "cancelled"
    case .notPermitted: "notPermitted"
    case .failed: "failed"
    case .unexpected: "unexpected"
    }
  }
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
  /// The unit or the user, and in quotation marks what the program calls itself.
  static func short(_ principal: Principal) -> String {
    let known = principal.unit.name ?? principal.user ?? "uid \(principal.uid)"
    return principal.name.map { "\(known) \"\($0)\"" } ?? known
  }

  static func line(_ principal: Principal) -> String {
    var text = principal.user ?? "uid \(principal.uid)"
    if let number = principal.subordinate { text += " as uid \(number)" }
    if let pid = principal.pid { text += ", process \(pid)" }
    if let unit = principal.unit.name { text += ", \(unit)" }
    let own = [principal.name, principal.purpose].compactMap { $0 }.map { "\"\($0)\"" }
    return own.isEmpty ? text : "\(text), calls itself \(own.joined(separator: ", for "))"
  }
}
