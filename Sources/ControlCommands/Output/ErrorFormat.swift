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
    "\(self.grant) \(user)\(self.between)\(self.join) \(user) \(self.group)"
  }

  private static let (grant, join) = ("sudo positionctl auth grant", "sudo adduser")
  private static let (between, group) = (", which works at once; or ", "position, and a new login")

  /// `to do this: COMMAND` and `COMMAND; more words` as two lines, if what stands there is a command and nothing else.
  private static func splitCommand(_ text: String) -> [String] {
    if let semicolon = text.firstIndex(of: ";"), self.isCommand(text[..<semicolon]) {
      return ["run this\(text[semicolon...])", "    \(text[..<semicolon])"]
    }
    guard let colon = text.lastIndex(of: ":"),
      case let rest = text[text.index(after: colon)...].drop(while: { $0 == " " }),
      self.isCommand(rest)
    else { return self.isCommand(text[...]) ? ["run this", "    \(text)"] : [text] }
    return [String(text[...colon]), "    \(rest)"]
  }

  private static func isCommand(_ text: Substring) -> Bool {
    guard let program = text.split(separator: " ").first, self.programs.contains(String(program)) else { return false }
    return !text.contains { ";,\"".contains($0) }
  }

  private static let programs: Set = ["systemctl", "sudo", "apt", "apt-get", "positionctl", "adduser", "chgrp"]

  /// The advice for a terminal: each command is a line of its own, which can be copied; those lines begin with blanks.
  static func lines(_ remedy: String) -> [String] {
    let text = self.text(remedy)
    guard text.hasPrefix(self.grant), text.hasSuffix(self.group), let middle = text.firstRange(of: self.between) else {
      return self.splitCommand(text)
    }
    let user = text[text.index(text.startIndex, offsetBy: self.grant.count + 1)..<middle.lowerBound]
    return [
      "an administrator runs one of these, of which the second needs a new login:", "    \(self.grant) \(user)",
      "    \(self.join) \(user) position",
    ]
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
