import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments
import Prompts

/// `positionctl auth status`: the permission of this user's programs.
struct AuthStatusCommand: RequestCommand {
  static let description = CommandDescription(
    name: "auth status", summary: "show your permission and how to change it",
    explanation: ["The exit code is 0 if you may know the position, else 3."],
    examples: [
      "positionctl auth status": "your permission, its rule, and how to change it",
      "positionctl auth status --json": "for a script",
    ])

  let request = AuthorizationGetRequest()

  init(_ arguments: Arguments) throws(UsageError) {}

  func show(_ authorization: Authorization, in conversation: Conversation) {
    conversation.print(authorization, human: AuthorizationFormat.lines(authorization))
    if !authorization.isGranted { conversation.finish(.notPermitted) }
  }
}

/// `positionctl auth request`: asks for permission.
struct AuthRequestCommand: RequestCommand {
  static let parameters = ParameterOptions<AuthorizationRequestRequest>()

  static let description = CommandDescription(
    name: "auth request", summary: "ask for permission",
    explanation: [
      "If no rule decides and an agent is running, asks a person and waits up to two minutes for the answer, which holds "
        + "for all your programs. Prints the permission then. The exit code is 0 if everything requested is granted, "
        + "else 3."
    ],
    options: Self.parameters.all,
    examples: [
      "positionctl auth request": "while connected, precise",
      "positionctl auth request --level always": "also for durable names",
      "positionctl auth request --precision reduced --force": "ask again for less",
    ])

  let request: AuthorizationRequestRequest

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = try Self.parameters.request(arguments)
  }

  func show(_ authorization: Authorization, in conversation: Conversation) {
    conversation.print(authorization, human: AuthorizationFormat.lines(authorization))
    let asked = self.request.request
    let isCovered = authorization.covers(level: asked.level, precision: asked.precision)
    if authorization.state == .notDetermined, !conversation.hasPrompted {
      conversation.context.report(
        "nobody could be asked: no agent is running; \"positionctl agent\" or positiond-desktop is one")
    }
    if !isCovered { conversation.finish(.notPermitted) }
  }
}

/// `positionctl auth grants`: the stored decisions of persons and administrators.
struct AuthGrantsCommand: RequestCommand {
  static let description = CommandDescription(
    name: "auth grants", summary: "list stored decisions (administrators)",
    explanation: ["One line per user. Rules in positiond.conf take precedence and are not listed."],
    examples: [
      "positionctl auth grants": "one line per user",
      "positionctl auth grants --json": "for a script",
    ])

  let request = AdminGrantsRequest()

  init(_ arguments: Arguments) throws(UsageError) {}

  func show(_ list: AdminGrantsRequest.Result, in conversation: Conversation) {
    if list.grants.isEmpty { conversation.context.note("no stored decisions") }
    for grant in list.grants {
      let time = Timestamp(of: grant.decision.at, at: conversation.context.moment)
      conversation.print(grant, human: ["\(AuthorizationFormat.line(grant)); decided at \(time)"])
    }
    if let omitted = list.omitted { conversation.context.report("\(omitted) more are not listed") }
  }
}

/// `positionctl auth grant`: stores a decision for a user.
struct AuthGrantCommand: RequestCommand {
  static let parameters = ParameterOptions<AdminGrantRequest>(except: ["user"])
  static let deny = Option(flag: "deny", "the same as --level deny: do not ask the user again")

  static let description = CommandDescription(
    name: "auth grant", summary: "grant or deny permission to a user (administrators)",
    explanation: [
      "Works at once, for all programs of the user, until it is revoked or the user answers a prompt differently. "
        + "Rules in positiond.conf take precedence. Without --level it grants whenInUse."
    ],
    operands: [.init(name: "USER", .required)],
    options: Self.parameters.all + [Self.deny],
    examples: [
      "positionctl auth grant ada": "while connected, precise",
      "positionctl auth grant ada --level always --precision reduced": "always, to a few kilometres",
      "positionctl auth grant ben --deny": "deny",
    ])

  let request: AdminGrantRequest

  init(_ arguments: Arguments) throws(UsageError) {
    let isDenied = arguments.has(Self.deny)
    guard !isDenied || Self.parameters.given(in: arguments).isEmpty else {
      throw UsageError("--deny cannot be combined with --level or --precision")
    }
    // The daemon also takes a number, if no user has it as a name.
    self.request = try Self.parameters.request(
      arguments, beside: ["user": .string(arguments.operands[0]), "level": isDenied ? "deny" : "whenInUse"])
  }

  func show(_ grant: Grant, in conversation: Conversation) {
    conversation.print(grant, human: [AuthorizationFormat.line(grant)])
  }
}

/// `positionctl auth revoke`: removes a stored decision.
struct AuthRevokeCommand: Command {
  static let description = CommandDescription(
    name: "auth revoke", summary: "remove a stored decision (administrators)",
    explanation: [
      "The user may be asked again. If nothing else grants permission, the user's programs get no more positions, and "
        + "their waiting events are removed."
    ],
    operands: [.init(name: "USER", .required)],
    examples: ["positionctl auth revoke ada": "shows the removed decision"])

  private let user: String

  init(_ arguments: Arguments) throws(UsageError) {
    self.user = arguments.operands[0]
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.request(AdminRevokeRequest(user: .name(self.user))) { result in
        switch result {
        case .success(let grant):
          conversation.print(grant, human: ["revoked: \(AuthorizationFormat.line(grant))"])
          conversation.finish(.success)
        case .failure(let error) where Self.isNothingStored(error):
          context.report("no stored decision for user \(self.user)")
          conversation.finish(.failure)
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }

  /// Whether the user exists and has no decision; for an unknown user the error names what was searched.
  private static func isNothingStored(_ error: PositionError) -> Bool {
    guard let error = error.rpcError, error.code == .invalidParams else { return false }
    return error.data?["path"] == "user" && error.data?["found"] == .string(ErrorFormat.unnamed)
  }
}

/// `positionctl auth clients`: the connected clients.
struct AuthClientsCommand: RequestCommand {
  static let description = CommandDescription(
    name: "auth clients", summary: "list connected clients (administrators)",
    explanation: [
      "One line per connection: its user and program, its permission and the rule for it, and what it has open."
    ],
    examples: [
      "positionctl auth clients": "one line per connection",
      "positionctl auth clients --json": "for a script",
    ])

  let request = AdminClientsRequest()

  init(_ arguments: Arguments) throws(UsageError) {}

  func show(_ list: AdminClientsRequest.Result, in conversation: Conversation) {
    if list.clients.isEmpty { conversation.context.note("no clients") }
    for client in list.clients { conversation.print(client, human: [AuthorizationFormat.line(client)]) }
    if let omitted = list.omitted { conversation.context.report("\(omitted) more are not listed") }
  }
}

/// `positionctl auth enable`: turns the master switch on.
struct AuthEnableCommand: RequestCommand {
  static let description = CommandDescription(
    name: "auth enable", summary: "turn positions on again (administrators)",
    examples: ["positionctl auth enable": "after \"positionctl auth disable\""])

  let request = AdminEnableRequest()

  init(_ arguments: Arguments) throws(UsageError) {}

  func show(_ result: EnabledResult, in conversation: Conversation) { conversation.show(result) }
}

/// `positionctl auth disable`: turns the master switch off.
struct AuthDisableCommand: RequestCommand {
  static let description = CommandDescription(
    name: "auth disable", summary: "turn positions off for everybody (administrators)",
    explanation: ["Nobody gets a position until \"positionctl auth enable\", not even after a restart."],
    examples: ["positionctl auth disable": "until \"positionctl auth enable\""])

  let request = AdminDisableRequest()

  init(_ arguments: Arguments) throws(UsageError) {}

  func show(_ result: EnabledResult, in conversation: Conversation) { conversation.show(result) }
}

extension Conversation {
  fileprivate func show(_ result: EnabledResult) {
    let doubt = result.stored == false ? "; \(AuthorizationFormat.unstored)" : ""
    let lost = result.unread.map {
      ["earlier decisions cannot be read (\($0)): deny again the users who were denied"]
    }
    self.print(result, human: ["positions are turned \(result.isEnabled ? "on" : "off")\(doubt)"] + (lost ?? []))
  }
}

/// The text form of authorizations and grants.
enum AuthorizationFormat {
  static func lines(_ authorization: Authorization) -> [String] {
    var rows = [("Permission", "\(authorization.state.text) (\(authorization.state.rawValue))")]
    if authorization.isGranted { rows.append(("Precision", authorization.precision.text)) }
    if let rule = authorization.rule { rows.append(("Rule", rule)) }
    let remedy = authorization.remedy.map(PermissionAdvice.lines) ?? []
    rows += remedy.enumerated().map { ($0.offset == 0 ? "To change" : "", $0.element) }
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
