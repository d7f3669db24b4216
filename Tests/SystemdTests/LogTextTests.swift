import Positioning
import TestSupport
import Testing

@testable import Systemd

@Suite("The log's text") struct LogTextTests {
  @Test(
    "Control characters are escaped, and nothing else is",
    arguments: [
      ("plain", "plain"), ("", ""), ("Grüße, 東京 🛰", "Grüße, 東京 🛰"), (#"a \n b"#, #"a \n b"#),
      ("one\ntwo", #"one\ntwo"#), ("one\r\ntwo", #"one\r\ntwo"#), ("tab\t", #"tab\t"#), ("nul\0", #"nul\u{0}"#),
      ("\u{1B}[31mred", #"\u{1b}[31mred"#), ("\u{9B}2J", #"\u{9b}2J"#), ("\u{7F}", #"\u{7f}"#),
      ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#), ("\u{202E}desrever", #"\u{202e}desrever"#),
    ])
  func controls(text: String, expected: String) {
    #expect(LogText.line(.info, text, hasColor: false) == "info: \(expected)\n")
    #expect(LogText.plainLine(.info, text) == "<6>\(expected)\n")
    #expect(LogText.fields(.serving, "\(text)").first == "MESSAGE=\(expected)")
  }

  @Test("A message is one line for a terminal, whatever is in it", arguments: LogLevel.allCases)
  func oneLine(level: LogLevel) {
    for hasColor in [true, false] {
      let line = LogText.line(level, "here\nerror: forged\n", hasColor: hasColor)
      #expect(line.hasSuffix(#": here\nerror: forged\n"# + "\n"))
      #expect(line.count { $0.isNewline } == 1)
    }
    #expect(LogText.line(level, "x", hasColor: false) == "\(level): x\n")
  }

  @Test("Foreign text cannot fill the log")
  func longest() {
    let line = LogText.line(.info, String(repeating: "\n", count: 100_000), hasColor: false)
    #expect(line.hasPrefix(#"info: \n\n"#) && line.hasSuffix("\\n…\n"))
    #expect(line.count == "info: ".count + LogText.longest + 2)
  }

  @Test("A colour ends with the word that it marks")
  func color() {
    #expect(LogText.line(.error, "x", hasColor: true) == "\u{1B}[31merror\u{1B}[0m: x\n")
    #expect(LogText.line(.info, "x", hasColor: true) == "info: x\n")
  }

  @Test("The journal gets the kind of a message, its number, and syslog's priority", arguments: LogKind.allCases)
  func fields(kind: LogKind) {
    #expect(
      LogText.fields(kind, "a\nPRIORITY=0") == [
        #"MESSAGE=a\nPRIORITY=0"#, "MESSAGE_ID=\(kind.messageID)", "PRIORITY=\(kind.level.priority)",
        "POSITIOND_KIND=\(kind.rawValue)", "SYSLOG_IDENTIFIER=positiond",
      ])
  }

  @Test("A value in a message is a field of its own, and a value of foreign text forges no other")
  func values() {
    let message: LogMessage =
      "\("a.service", .unit) was started for \("x\nPRIORITY=0", .durableName) of \("ada", .user, 7)"
    #expect(
      LogText.fields(.unitStarted, message + ", \(5) times").dropFirst(5) == [
        "POSITIOND_USER=7", #"POSITIOND_DURABLE_NAME=x\nPRIORITY=0"#, "POSITIOND_UNIT=a.service",
      ])
    #expect(message.text == "a.service was started for x\nPRIORITY=0 of ada")
  }

  @Test("Each field has a name of its own, in the form that the journal takes")
  func names() {
    let names = LogField.allCases.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.allSatisfy { $0 == "_" || $0.isASCII && $0.isUppercase } && $0.count <= 64 })
  }

  @Test("Each kind has a number of its own, in the form that journalctl takes")
  func numbers() {
    let numbers = LogKind.allCases.map(\.messageID)
    #expect(Set(numbers).count == numbers.count)
    #expect(numbers.allSatisfy { $0.count == 32 && $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } })
    #expect(zip([LogLevel.error, .warning, .notice, .info, .debug], 3...7).allSatisfy { $0.priority == $1 })
  }

  @Test("docs/logging.md lists every field and every kind")
  func documented() throws {
    let document = try WrittenDocument("docs/logging.md")
    let (begin, end) = ("<!-- begin: written by `make documents` -->\n", "<!-- end -->")
    let fields = LogField.allCases.map { "| `\($0.name)` | \($0.meaning) |\n" }
    let kinds = LogKind.allCases.map { "| `\($0.rawValue)` | \($0.level) | \($0.meaning) | `\($0.messageID)` |\n" }
    let tables = [
      "\n| field | content |\n|---|---|\n" + fields.joined() + "\n",
      "\n| kind | level | when | `MESSAGE_ID` |\n|---|---|---|---|\n" + kinds.joined() + "\n",
    ]
    var (written, rest) = ("", document.text[...])
    for table in tables {
      let first = try #require(rest.firstRange(of: begin)).upperBound
      let last = try #require(rest.firstRange(of: end))
      written += rest[..<first] + table + end
      rest = rest[last.upperBound...]
    }
    #expect(try document.isCurrent(written + rest), "\(WrittenDocument.advice)")
  }

  @Test("A threshold passes its own severity and higher ones")
  func threshold() {
    #expect(LogLevel.allCases.filter { $0 <= .notice } == [.error, .warning, .notice])
  }
}
