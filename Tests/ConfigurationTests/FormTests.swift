import Broker
import Testing

@testable import Configuration

/// The file's form: the valid lines, whatever the meaning of their keys.
@Suite struct FormTests {
  @Test("blanks, comments, blank lines and carriage returns are ignored")
  func decoration() throws {
    let text = "\u{FEFF}# a comment\r\n\n \t[ receiver ]\t\r\n  # indented = comment\n\tlinger \t=  2h \r\n"
    #expect(try settings(text).broker.power.linger == .seconds(7200))
  }

  @Test("a file may be empty, end without a newline, or hold a section without a key", arguments: ["", "\n", "[fix]"])
  func nothing(text: String) throws {
    #expect(try settings(text) == Settings())
  }

  @Test("only the first equals sign separates key and value")
  func equalsInValue() throws {
    #expect(try settings("[server]\nsocket=/run/a=b").socket.path == "/run/a=b")
  }

  @Test("a section may occur again")
  func reopened() throws {
    let read = try settings("[fix]\nmax-speed=90\n[log]\n[fix]\nloss-after=5")
    var expected = FixSettings()
    expected.maxSpeed = 90
    expected.lossAfter = .seconds(5)
    #expect(read.broker.fixes == expected)
  }

  @Test(
    "a line that cannot be read is reported with its number and the expected form",
    arguments: [
      (
        "linger=1", "test.conf:1: 'linger' stands before the first section; put a section such as [server] above it"
      ),
      (
        "[log]\nlevel info",
        "test.conf:2: expected key=value, [section], or a comment that starts with #, but found 'level info'"
      ),
      (
        "[log]\n=info",
        "test.conf:2: expected key=value, [section], or a comment that starts with #, but found '=info'"
      ),
      (
        "\n[log",
        "test.conf:2: expected a section alone on its line, such as [server], but found '[log'"
      ),
      ("[]", "test.conf:1: expected a section alone on its line, such as [server], but found '[]'"),
      (
        "[log] # loud",
        "test.conf:1: expected a section alone on its line, such as [server], but found '[log] # loud'"
      ),
      ("[log]\nlevel=in\0fo", "test.conf:2: the line holds the control character \\u{0}; remove it"),
      ("[log]\nlevel=\u{1B}[2Jinfo", "test.conf:2: the line holds the control character \\u{1b}; remove it"),
      (
        "[log]\nlevel=info\n[fix]\n[log]\nlevel=info",
        "test.conf:5: level in [log] was set on line 2 already; remove one of them"
      ),
    ])
  func badLine(text: String, message: String) {
    #expect(errors(in: ConfigurationFile(text)) == [message])
  }

  @Test("a NUL in a comment is reported as well, because an editor does not show it")
  func controlInComment() {
    #expect(errors(in: ConfigurationFile("# a\0b")).count == 1)
  }

  @Test(
    "bytes that are not UTF-8 are reported",
    arguments: [[0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    let file = ConfigurationFile(path: "test.conf", contents: Array("[log]\nlevel=".utf8) + bytes)
    #expect(errors(in: file) == ["test.conf:2: the line is not valid UTF-8; save the file as UTF-8"])
  }

  @Test("a line may have 4096 bytes and not one more")
  func longLine() {
    #expect(errors(in: ConfigurationFile("#" + String(repeating: "x", count: 4095))) == [])
    #expect(
      errors(in: ConfigurationFile("#" + String(repeating: "x", count: 4096)))
        == ["test.conf:1: the line is longer than 4096 bytes; shorten it"])
  }

  @Test("a combining mark after the equals sign belongs to the value")
  func combiningMark() {
    let found = errors(in: ConfigurationFile("[log]\nlevel=\u{301}info"))
    #expect(found.count == 1)
    #expect(found.first?.contains("cannot be read") == true)
  }

  @Test("text that a message quotes is escaped and shortened")
  func quoting() {
    let found = errors(in: ConfigurationFile("[log]\n\u{202E}\u{2028}key=1\n" + String(repeating: "y", count: 500)))
    #expect(found.first?.contains("\\u{202e}\\u{2028}key") == true)
    #expect(found.last?.hasSuffix(String(repeating: "y", count: 120) + "…'") == true)
  }
}
