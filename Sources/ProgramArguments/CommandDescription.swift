/// Everything about a command that is known without running it.
package struct CommandDescription: Sendable {
  /// One word after the options.
  package struct Operand: Sendable {
    package let name: String
    package let isRequired: Bool

    package init(name: String, isRequired: Bool) {
      self.name = name
      self.isRequired = isRequired
    }
  }

  package struct Example: Sendable {
    package let line: String
    package let meaning: String

    package init(line: String, meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  package let program: String
  /// Empty for the program itself, without a command.
  package let name: String
  /// What it does, in a few words that begin with a verb.
  package let summary: String
  /// Further information; a paragraph each.
  package let explanation: [String]
  package let operands: [Operand]
  package let options: [any CommandOption]
  /// The options that the program's commands have in common.
  package let commonOptions: [any CommandOption]
  package let examples: [Example]

  package init(
    program: String, name: String = "", summary: String, explanation: [String] = [], operands: [Operand] = [],
    options: [any CommandOption] = [], commonOptions: [any CommandOption] = [], examples: [Example] = []
  ) {
    self.program = program
    self.name = name
    self.summary = summary
    self.explanation = explanation
    self.operands = operands
    self.options = options
    self.commonOptions = commonOptions
    self.examples = examples
  }

  /// The options that the command understands.
  package var allOptions: [any CommandOption] { self.options + self.commonOptions }

  /// The words before its options.
  package var line: String { self.name.isEmpty ? self.program : "\(self.program) \(self.name)" }
}
