import JSONRPC
import ProgramArguments

@testable import ControlCommands

/// The options in man/positionctl.1 that are parameters of the protocol, between two comments in the command's section.
enum ManualPage {
  static let begin = #".\" begin: written by `make documents`"#
  static let end = #".\" end"#

  /// The page with the present options.
  static func written(into page: String) -> String {
    var lines = page.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var text: [String] = []
    var command: CommandDescription?
    while let line = lines.popFirst() {
      text.append(String(line))
      if line.hasPrefix(".SS ") {
        command = PositionControl.commands.map(\.description).first { ".SS \($0.name)" == line }
      } else if line == self.begin {
        text += (command?.options ?? []).compactMap { $0 as? Option<JSONValue> }.flatMap(self.entry)
        lines = lines.drop { $0 != self.end }
      }
    }
    return text.joined(separator: "\n")
  }

  private static func entry(_ option: Option<JSONValue>) -> [String] {
    let (name, letter) = ("--\(option.name)", option.letter.map { "-\($0), " } ?? "")
    let head =
      switch option.placeholder {
      case nil: ".B \(letter)\(name)"
      case let placeholder? where letter.isEmpty: ".BI \(name) \" \(placeholder)\""
      case let placeholder?: ".BI \"\(letter)\(name) \" \(placeholder)"
      }
    let sentence = option.help.prefix(1).uppercased() + option.help.dropFirst() + "."
    return [".TP", head.replacing("-", with: #"\-"#)] + self.wrapped(sentence.replacing("--", with: #"\-\-"#))
  }

  private static func wrapped(_ text: String) -> [String] {
    text.split(separator: " ").reduce(into: [""]) { lines, word in
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= 120 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}
