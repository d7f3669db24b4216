import ProgramArguments

/// The options of every command.
enum CommonOptions {
  static let socket = Option("socket", .path, "positiond's socket; else that of POSITIOND_SOCKET")
  static let json = Option(flag: "json", "print JSON, one text a line, as the protocol has it")

  static let all: [any CommandOption] = [Self.socket, Self.json, StandardOptions.help]
}

extension CommandDescription {
  /// A command of positionctl.
  init(
    name: String, summary: String, explanation: [String] = [], operands: [Operand] = [],
    options: [any CommandOption] = [], examples: [Example]
  ) {
    self.init(
      program: "positionctl", name: name, summary: summary, explanation: explanation, operands: operands,
      options: options, commonOptions: CommonOptions.all, examples: examples)
  }
}
