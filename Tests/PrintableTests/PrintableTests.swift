import Testing

@testable import Printable

@Suite struct PrintableTests {
  /// Characters that no literal can have.
  private static let noncharacters = String(decoding: [0xFFFE, 0xFDD0, 0xDBFF, 0xDFFF], as: UTF16.self)

  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("a\nb\r\nc\td", #"a\nb\r\nc\td"#), ("nul\0", #"nul\u{0}"#),
    ("\u{1b}[31mred\u{7}", #"\u{1b}[31mred\u{7}"#), ("\u{7f}", #"\u{7f}"#),
    // C1: a terminal takes U+009B for the beginning of a sequence, and U+009D for that of a title.
    ("\u{80}\u{85}\u{9b}2J\u{9d}\u{9f}", #"\u{80}\u{85}\u{9b}2J\u{9d}\u{9f}"#),
    ("\u{202e}desrever\u{202c}", #"\u{202e}desrever\u{202c}"#), ("\u{2066}\u{2069}", #"\u{2066}\u{2069}"#),
    ("\u{200e}\u{200f}\u{61c}", #"\u{200e}\u{200f}\u{61c}"#), ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
    ("in\u{ad}visi\u{200b}ble\u{feff}", #"in\u{ad}visi\u{200b}ble\u{feff}"#),
    ("\u{e0041}\(Self.noncharacters)", #"\u{e0041}\u{fffe}\u{fdd0}\u{10ffff}"#),
  ])
  func `control characters for a terminal or a log are escaped`(text: String, expected: String) {
    #expect(text.printable == expected)
  }

  @Test(arguments: [
    "Grüße, Ærø, 東京, Ελλάδα, ישראל, العربية, हिन्दी, ไทย", "e\u{301}\u{323}", "±5.0 m, 48° N, 3 µs — „so“ …",
    "🛰 👩‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ☀️ 👍🏽", "می‌خواهم", #"/dev/serial/by-id/usb-u-blox"#, #"dev-disk-by\x2dlabel.device"#,
    #"\u{1b}[31m"#, "\u{a0}\u{2003}|", "\u{fffd}", "\u{e000}",
  ])
  func `visible characters are unchanged`(text: String) {
    #expect(text.printable == text)
    #expect(text.printable(upTo: 100) == text)
    #expect(text.printableJSON == text)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcdef…"), ("", 0, ""), ("a", 0, "…"),
    // Neither an escape nor a character of several scalars is cut in two.
    ("ab\u{1b}cd", 6, "ab…"), ("ab\u{1b}cd", 8, #"ab\u{1b}…"#), ("ab\u{1b}", 8, #"ab\u{1b}"#),
    ("aae\u{301}z", 3, "aa…"), ("aae\u{301}z", 4, "aae\u{301}…"), ("👨‍👩‍👧‍👦", 6, "…"), ("👨‍👩‍👧‍👦", 7, "👨‍👩‍👧‍👦"), ("\r\n", 3, "…"),
  ])
  func `a text that is too long is cut, with an ellipsis`(text: String, limit: Int, expected: String) {
    #expect(text.printable(upTo: limit) == expected)
  }

  @Test(arguments: [
    (#"{"a":"\#u{9b}2J\#u{7f}"}"#, #"{"a":"\u009b2J\u007f"}"#), (#"["\#u{202e}"]"#, #"["\u202e"]"#),
    (#"["\#u{e0041}\#(Self.noncharacters)"]"#, #"["\udb40\udc41\ufffe\ufdd0\udbff\udfff"]"#),
  ])
  func `JSON keeps its meaning`(text: String, expected: String) {
    #expect(text.printableJSON == expected)
  }

  /// Every scalar alone.
  @Test func `no scalar that controls a terminal is passed`() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let shown = text.printable
      if Self.isObeyed(scalar) { #expect(shown.first == "\\", "U+\(String(value, radix: 16))") }
      if shown != text { #expect(shown.utf8.allSatisfy { (0x20..<0x7F).contains($0) }) }
      #expect((text.printableJSON == text) == (shown == text))
    }
  }

  @Test(arguments: 0..<200)
  func `any text becomes one line without control characters, idempotently, and JSON keeps its meaning`(seed: UInt64) {
    var random = Generator(state: seed)
    let length = Int.random(in: 0...60, using: &random)
    let text = String(String.UnicodeScalarView((0..<length).map { _ in random.scalar() }))
    let shown = text.printable
    #expect(!shown.unicodeScalars.contains { Self.isObeyed($0) })
    #expect(!shown.contains { $0.isNewline })
    #expect(shown.printable == shown)
    let limit = Int.random(in: 0...80, using: &random)
    let cut = text.printable(upTo: limit)
    #expect(cut.unicodeScalars.count <= limit + 1)
    #expect(cut == shown || (cut.last == "…" && shown.unicodeScalars.starts(with: cut.unicodeScalars.dropLast())))
    #expect((cut == shown) == (shown.unicodeScalars.count <= limit))
    #expect(!text.printableJSON.unicodeScalars.contains { Self.isObeyed($0) })
    #expect(!cut.unicodeScalars.contains { Self.isObeyed($0) })
    #expect(Self.unescaped(text.printableJSON) == text)
  }

  /// Control characters, and characters that change the direction of text or end a line.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The decoded JSON escapes; the texts of the test have no backslash.
  private static func unescaped(_ text: String) -> String {
    var units: [UInt16] = []
    var rest = Array(text.utf16)[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C else {
        units.append(unit)
        continue
      }
      units += UInt16(String(decoding: rest.dropFirst().prefix(4), as: UTF16.self), radix: 16).map { [$0] } ?? []
      rest = rest.dropFirst(5)
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// SplitMix64, and scalars with as many dangerous ones among them as others.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      self.state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (self.state ^ (self.state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    mutating func scalar() -> Unicode.Scalar {
      let ranges: [ClosedRange<UInt32>] = [
        0...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xE0000...0xE007F, 0x20...0x5B,
        0xA0...0x17F, 0x300...0x36F, 0x4E00...0x4EFF, 0x1F300...0x1F6FF, 0...0x10FFFF,
      ]
      let range = ranges[Int.random(in: 0..<ranges.count, using: &self)]
      guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)), scalar != "\\" else { return "x" }
      return scalar
    }
  }
}
