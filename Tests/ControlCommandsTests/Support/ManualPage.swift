import JSONRPC
import ProgramArguments
import TestSupport

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
        command = PositionControl.commands.map({ $0.description }).first { ".SS \($0.name)" == line }
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
    return [".TP", head.replacing("-", with: #"\-"#)] + ManualText.paragraph(ManualText.sentence(option.help))
  }
}
