import Testing

@testable import JSONRPC

@Suite("The check of a JSON text")
struct JSONScannerTests {
  @Test(
    "accepts every form of JSON",
    arguments: [
      "null", " true\r\n", "false", "0", "-0", "-1.5e+10", "1E-7", "12.25", "\"\"", "\"a\\n\\u00e9\\/\\\"\"",
      "\"\\ud83d\\ude00\"", "\"é€😀\"", "[]", "[ ]", "{}", "{ }", "[1,[2,[3]],{}]", "{\"a\":{\"b\":[null]},\"c\":\"\"}",
      "[[],{},[]]", "\"\u{7F}\"", "{\"\":1}", "\t[1 , 2]\t", "\"\u{10FFFF}\u{0800}\u{D7FF}\u{E000}\u{10000}\"",
    ])
  func accepts(text: String) throws {
    _ = try JSONScanner.scan(text.bytes)
    // An accepted text can be read by the decoder.
    _ = try JSONValue(parsing: text.bytes)
  }

  @Test(
    "reports the place of an error and what was expected",
    arguments: [
      ("", 0, "a value"), ("  ", 2, "a value"), ("{", 1, "a key in quotation marks"), ("[", 1, "a value"),
      ("[1", 2, "\",\" or \"]\""), ("[1,]", 3, "a value"), ("[,1]", 1, "a value"), ("[1 2]", 3, "\",\" or \"]\""),
      ("{\"a\"}", 4, "\":\""), ("{\"a\":}", 5, "a value"), ("{\"a\":1", 6, "\",\" or \"}\""),
      ("{\"a\":1,}", 7, "a key in quotation marks"), ("{a:1}", 1, "a key in quotation marks"),
      ("{\"a\":1]", 6, "\",\" or \"}\""), ("[1}", 2, "\",\" or \"]\""), ("nul", 0, "a value"), ("truth", 0, "a value"),
      ("{} x", 3, "the end of the text"), ("1 2", 2, "the end of the text"), ("01", 1, "the end of the text"),
      ("-", 1, "a digit"), ("1.", 2, "a digit"), ("1e", 2, "a digit"), ("1e+", 3, "a digit"), (".5", 0, "a value"),
      ("+1", 0, "a value"), ("NaN", 0, "a value"), ("'a'", 0, "a value"), ("\"a", 2, "the end of the string"),
      ("\"\n\"", 1, "control characters to be escaped"), ("\"\\x\"", 2, "an escape of JSON"),
      ("\"\\u12g4\"", 5, "four hexadecimal digits"), ("\"\\", 2, "an escape of JSON"),
      ("\"\\ud83d\"", 7, "the second half of a surrogate pair"),
      ("\"\\ud83dx\"", 7, "the second half of a surrogate pair"),
      ("\"\\ude00\"", 7, "the first half of a surrogate pair before this"), ("]", 0, "a value"), ("}", 0, "a value"),
      ("\u{FEFF}1", 0, "a value"), ("// 1", 0, "a value"),
    ])
  func refuses(text: String, offset: Int, expected: String) {
    #expect(throws: JSONScanner.Failure(offset: offset, expected: expected)) { try JSONScanner.scan(text.bytes) }
  }

  @Test(
    "refuses bytes in a string that are not UTF-8",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x22], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
      [0xE2, 0x82, 0x41], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func refuses(bytes: [UInt8]) {
    let text = [UInt8(ascii: "\""), UInt8(ascii: "a")] + bytes + [UInt8(ascii: "\"")]
    #expect(throws: JSONScanner.Failure(offset: 2, expected: "UTF-8")) { try JSONScanner.scan(text) }
  }

  @Test("allows 64 levels of nesting and no more")
  func depth() throws {
    func nested(_ levels: Int) -> [UInt8] {
      (String(repeating: "[", count: levels) + String(repeating: "]", count: levels)).bytes
    }
    _ = try JSONScanner.scan(nested(64))
    #expect(throws: JSONScanner.Failure(offset: 64, expected: "at most 64 levels of nesting")) {
      try JSONScanner.scan(nested(65))
    }
    #expect(throws: JSONScanner.Failure(offset: 64, expected: "at most 64 levels of nesting")) {
      try JSONScanner.scan(nested(100_000))
    }
    let objects = String(repeating: "{\"a\":", count: 100_000).bytes
    #expect(throws: JSONScanner.Failure(offset: 64 * 5, expected: "at most 64 levels of nesting")) {
      try JSONScanner.scan(objects)
    }
  }

  @Test(
    "notes the place of each value",
    arguments: [
      ("[]", "[]"), (" 1 ", "1"), ("[1, [2,{}]]", "[1, [2,{}]]|1|[2,{}]|2|{}"),
      (#"{"a": "\"]", "b":[]}"#, #"{"a": "\"]", "b":[]}|"a"|"\"]"|"b"|[]"#),
    ])
  func places(text: String, values: String) throws {
    let bytes = text.bytes
    let nodes = try JSONScanner.scan(bytes)
    #expect(
      nodes.map { String(decoding: bytes[Int($0.start)..<Int($0.end)], as: UTF8.self) }.joined(separator: "|") == values
    )
  }
}
