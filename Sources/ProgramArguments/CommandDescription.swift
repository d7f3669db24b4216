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
  /// Command lines, and what each does.
  package let examples: KeyValuePairs<String, String>

  package init(
    program: String, name: String = "", summary: String, explanation: [String] = [], operands: [Operand] = [],
    options: [any CommandOption] = [], commonOptions: [any CommandOption] = [],
    examples: KeyValuePairs<String, String> = [:]
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

/// Help texts, made of the same tables that parse the command line.
package enum HelpText {
  static let width = 79

  /// The output of `PROGRAM COMMAND --help`.
  package static func lines(_ command: CommandDescription) -> [String] {
    var lines = ["\(command.line) - \(command.summary)", ""]
    lines += zip(["Usage:"] + Array(repeating: "      ", count: command.operands.count), command.usage).map {
      "\($0) \($1)"
    }
    for paragraph in command.explanation { lines += [""] + self.wrapped(paragraph, indent: 0) }
    for (title, options) in [("Options", command.options), ("Common options", command.commonOptions)]
    where !options.isEmpty {
      lines += ["", "\(title):"] + self.table(options.map { ($0.form, $0.help) })
    }
    if !command.examples.isEmpty { lines += ["", "Examples:"] }
    for (line, meaning) in command.examples { lines += ["  \(line)"] + self.wrapped(meaning, indent: 6) }
    return lines
  }

  /// Two columns, the second wrapped.
  package static func table(_ rows: [(String, String)]) -> [String] {
    let column = min(28, (rows.map(\.0.count).max() ?? 0) + 4)
    return rows.flatMap { form, help in
      var lines = self.wrapped(help, indent: column)
      let head = "  \(form)"
      if head.count + 2 > column { return [head] + lines }
      lines[0] = head + lines[0].dropFirst(head.count)
      return lines
    }
  }

  /// At least one line.
  package static func wrapped(_ text: String, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > self.width {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return lines + [line]
  }
}
