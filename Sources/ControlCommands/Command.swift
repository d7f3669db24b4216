import JSONRPC
import ProgramArguments

/// One command of positionctl. Reading the command line and running the command are separate, so that the command line is
/// checked completely before anything happens.
protocol Command: SendableMetatype {
  static var description: CommandDescription { get }

  init(_ arguments: Arguments) throws(UsageError)

  func run(in context: CommandContext) -> ExitCode
}

/// A command of one request, whose answer it prints.
protocol RequestCommand: Command {
  associatedtype Request: RequestType

  var request: Request { get }

  /// Prints the answer. The command then ends with success, unless this ends it otherwise.
  func show(_ result: Request.Result, in conversation: Conversation)
}

extension RequestCommand {
  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { result in
        self.show(result, in: conversation)
        conversation.finish(.success)
      }
    }
  }
}

/// The commands of two words that share the first one, such as `region add` and `region list`.
struct CommandFamily: Sendable {
  let name: String
  /// What the commands do, in a few words that begin with a verb.
  let summary: String

  func has(_ command: CommandDescription) -> Bool { command.name.hasPrefix("\(self.name) ") }
}

/// The options of every command.
enum CommonOptions {
  static let socket = Option("socket", .path, "positiond's socket; else that of POSITIOND_SOCKET")
  static let json = Option(flag: "json", "print JSON, one text a line, as the protocol has it")

  static let all: [any CommandOption] =
    [Self.socket, Self.json] + DisplaySettings.options + [StandardOptions.help]
}

extension CommandDescription {
  /// A command of positionctl.
  init(
    name: String, summary: String, explanation: [String] = [], operands: [Operand] = [],
    options: [any CommandOption] = [], examples: KeyValuePairs<String, String>
  ) {
    self.init(
      program: "positionctl", name: name, summary: summary, explanation: explanation, operands: operands,
      options: options, commonOptions: CommonOptions.all, examples: examples)
  }
}
