/// What can be said about a command without running it.
struct CommandDescription: Sendable {
  /// One word that stands after the options.
  struct Operand: Sendable {
    let name: String
    let isRequired: Bool
  }

  struct Example: Sendable {
    let line: String
    let meaning: String
  }

  let name: String
  /// What it does, in a few words that begin with a verb.
  let summary: String
  /// What else there is to know; a paragraph each.
  var explanation: [String] = []
  var operands: [Operand] = []
  var options: [any CommandOption] = []
  let examples: [Example]

  /// The options that the command understands.
  var allOptions: [any CommandOption] { self.options + CommonOptions.all }
}

/// The options of every command.
enum CommonOptions {
  static let socket = Option("socket", .path, "positiond's socket; else that of POSITIOND_SOCKET")
  static let json = Option(flag: "json", "print JSON, one text a line, as the protocol has it")
  static let help = Option(flag: "help", letter: "h", "show help with examples")

  static let all: [any CommandOption] = [Self.socket, Self.json, Self.help]
}
