import ProgramArguments

extension HelpText {
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
      "Usage: positionctl [OPTION...] [COMMAND [OPTION...]]", "",
      "Without a command it shows the status.", "", "Commands:",
    ] + self.table(self.overviewRows(commands, families))
      + ["", "Common options:"]
      + self.table((CommonOptions.all + [StandardOptions.version]).map { ($0.form, $0.help) })
      + ["", "Exit codes:"] + self.table(ExitCode.documented.map { ("\($0.rawValue)", $0.meaning) })
      + ["", "\"positionctl COMMAND --help\" shows the options of a command and examples."]
  }

  /// A family is one row, at the place of its first command.
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
}
