import JSONRPC
import Testing

@testable import ControlCommands

@Suite struct LineTests {
  @Test(
    "Foreign text is escaped, and only the line's own emphasis is used",
    arguments: [
      (Line("plain ±°é"), "plain ±°é", "plain ±°é"),
      ("a\u{1b}[31mb\n", #"a\u{1b}[31mb\n"#, #"a\u{1b}[31mb\n"#),
      (
        Line("ok\u{9b}2J", .good) + " " + Line("\u{202e}x"), #"ok\u{9b}2J \u{202e}x"#,
        "\u{1b}[32mok\\u{9b}2J\u{1b}[0m \\u{202e}x"
      ),
      (Line("", .bold), "", "\u{1b}[1m\u{1b}[0m"),
    ])
  func written(line: Line, plain: String, colored: String) {
    #expect(line.written(isColored: false) == plain)
    #expect(line.written(isColored: true) == colored)
  }

  @Test("JSON is escaped as well, and is not changed on its way")
  func json() {
    let line = JSONFormat.line(["name": "\u{9b}2J\u{1b}\u{202e}\u{7f}\u{e0041} 👨‍👩‍👧"] as JSONValue)
    #expect(line == #"{"name":"\u009b2J\u001b\u202e\u007f\udb40\udc41 👨‍👩‍👧"}"#)
    #expect(Line(line).written(isColored: true) == line)
  }
}
