/// Everything about a command that is known without running it.
package struct CommandDescription: Sendable {
  /// One word after the options.
  package struct Operand: Sendable {
    package enum Presence: Sendable {
      case required
      case optional
      /// It can only be left out if this option is given.
      case requiredUnless(any CommandOption)
    }

    package let name: String
    package let presence: Presence

    package init(name: String, _ presence: Presence) {
      self.name = name
      self.presence = presence
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

  /// The forms of its command line, one for each option that makes an operand unnecessary.
  var usage: [String] {
    let alternatives = self.operands.compactMap { operand -> (any CommandOption)? in
      if case .requiredUnless(let option) = operand.presence { option } else { nil }
    }
    return [self.usage(with: nil)] + alternatives.map { self.usage(with: $0) }
  }

  private func usage(with option: (any CommandOption)?) -> String {
    let words = self.operands.map { operand in
      switch operand.presence {
      case .required: operand.name
      case .optional: "[\(operand.name)]"
      case .requiredUnless(let alternative): alternative.name == option?.name ? "[\(operand.name)]" : operand.name
      }
    }
    return ([self.line, "[OPTION...]"] + (option.map { [$0.form] } ?? []) + words).joined(separator: " ")
  }

  /// The words before its options.
  package var line: String { self.name.isEmpty ? self.program : "\(self.program) \(self.name)" }
}
