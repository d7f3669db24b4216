import Testing

@testable import JSONRPC

@Suite("The writer of JSON")
struct JSONWriterTests {
  @Test("writes each number as the shortest text that identifies it")
  func numbers() {
    var generator = SeededGenerator(seed: 11)
    var numbers: [Double] = [
      0.1, -0.5, 48.137154321, 0.001, 0.0009, 0.00012, 1e-4, 1e-5, 999999.999999999, 1e6 + 0.1, 123456789.123456789,
      999999999999.999, 1e12 + 0.001, 4503599627370496.5, 1e16, 1e308, .leastNonzeroMagnitude, 0.1 + 0.2,
    ]
    for round in 0..<20000 {
      let magnitude = JSONWriter.powersOfTen[round % 12]
      let decimals = JSONWriter.powersOfTen[round % 11]
      let number = Double.random(in: -magnitude...magnitude, using: &generator)
      numbers += [number, (number * decimals).rounded() / decimals]
    }
    for number in numbers where number != number.rounded() {
      #expect(self.text { $0.number(number) } == "\(number)")
    }
    #expect(self.text { $0.number(-0.0) } == "0")
    #expect(self.text { $0.number(-3) } == "-3")
  }

  @Test(
    "rounds to the requested decimals, without trailing zeros",
    arguments: [
      (0.0005, 3, "0.001"), (-0.0004, 3, "0"), (1.0, 3, "1"), (1.5, 0, "2"), (-1.2345, 2, "-1.23"), (10.05, 9, "10.05"),
      (1e15, 3, "1000000000000000"), (0.1 + 0.2, 9, "0.3"), (100.001, 3, "100.001"), (7.100, 3, "7.1"),
    ])
  func decimals(number: Double, decimals: Int, text: String) {
    #expect(self.text { $0.number(number, decimals: decimals) } == text)
  }

  @Test("writes every integer", arguments: [0, 7, -7, 10, 100, .max, .min])
  func integers(integer: Int) {
    #expect(self.text { $0.integer(integer) } == "\(integer)")
  }

  @Test(
    "escapes only the necessary characters",
    arguments: [
      ("", #""""#), ("a/b", #""a/b""#), ("é€😀", #""é€😀""#),
      ("a text of more than fifteen bytes \"", #""a text of more than fifteen bytes \"""#),
      ("\\\u{08}\t\n\u{0C}\r\u{00}\u{1F}\u{7F}", "\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}\""),
    ])
  func strings(string: String, text: String) {
    #expect(self.text { $0.string(string) } == text)
  }

  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(moment: .none)
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
