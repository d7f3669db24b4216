/// A block of code in a Markdown document, between lines of three backticks.
package struct FencedBlock: Sendable {
  /// The text of the opening line after its backticks.
  package let language: String
  package let lines: [String]
  /// Where the block starts in the document, counted from 1.
  package let line: Int

  /// The code, each line with its end.
  package var text: String { self.lines.map { "\($0)\n" }.joined() }

  /// Every block of a document, in order.
  package static func all(in document: String) -> [FencedBlock] {
    var blocks: [FencedBlock] = []
    var open: (language: String, line: Int, lines: [String])?
    for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let block = open, line == "```" {
        blocks.append(FencedBlock(language: block.language, lines: block.lines, line: block.line))
        open = nil
      } else if open != nil {
        open?.lines.append(String(line))
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), index + 1, [])
      }
    }
    return blocks
  }
}
