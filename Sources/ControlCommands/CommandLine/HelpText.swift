/// Help texts, made of the tables that also read the command line.
enum HelpText {
  static let width = 79

  /// What `positionctl COMMAND --help` prints.
  static func lines(_ command: CommandDescription) -> [String] {
    let operands = command.operands.map { $0.isRequired ? " \($0.name)" : " [\($0.name)]" }.joined()
    var lines = [
      "positionctl \(command.name) - \(command.summary)", "",
      "Usage: positionctl \(command.name) [OPTION...]\(operands)",
    ]
    for paragraph in command.explanation { lines += [""] + self.wrapped(paragraph, indent: 0) }
    if !command.options.isEmpty { lines += ["", "Options:"] + self.table(command.options.map { ($0.form, $0.help) }) }
    lines += ["", "Common options:"] + self.table(CommonOptions.all.map { ($0.form, $0.help) })
    lines += ["", "Examples:"]
    for example in command.examples { lines += ["  \(example.line)"] + self.wrapped(example.meaning, indent: 6) }
    return lines
  }

  /// What `positionctl FAMILY --help` prints.
  static func lines(_ family: CommandFamily, _ commands: [CommandDescription]) -> [String] {
    [
      "positionctl \(family.name) - \(family.summary)", "",
      "Usage: positionctl \(family.name) COMMAND [OPTION...]", "", "Commands:",
    ] + self.table(commands.map { (String($0.name.dropFirst(family.name.count + 1)), $0.summary) })
      + [
        "",
        "\"positionctl \(family.name) COMMAND --help\" shows the options of a command and examples.",
      ]
  }

  /// What `positionctl --help` prints.
  static func overview(_ commands: [CommandDescription], _ families: [CommandFamily]) -> [String] {
    [
      "positionctl - show where this device is", "",
      "Usage: positionctl [OPTION...] COMMAND [OPTION...]", "", "Commands:",
    ] + self.table(self.overviewRows(commands, families))
      + ["", "Common options:"]
      + self.table(CommonOptions.all.map { ($0.form, $0.help) } + [("--version", "print the version")])
      + ["", "Exit codes:"] + self.table(ExitCode.documented.map { ("\($0.rawValue)", $0.meaning) })
      + ["", "\"positionctl COMMAND --help\" shows the options of a command and examples."]
  }

  /// A family is one row, where its first command stands.
  private static func overviewRows(
    _ commands: [CommandDescription], _ families: [CommandFamily]
  ) -> [(String, String)] {
    var rows: [(String, String)] = []
    for command in commands {
      let family = families.first { $0.has(command) }
      let row = family.map { ($0.name, $0.summary) } ?? (command.name, command.summary)
      if rows.last?.0 != row.0 { rows.append(row) }
    }
    return rows
  }

  /// Two columns, the second wrapped.
  static func table(_ rows: [(String, String)]) -> [String] {
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
  static func wrapped(_ text: String, indent: Int) -> [String] {
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
