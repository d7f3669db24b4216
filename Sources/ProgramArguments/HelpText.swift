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
    for example in command.examples { lines += ["  \(example.line)"] + self.wrapped(example.meaning, indent: 6) }
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
