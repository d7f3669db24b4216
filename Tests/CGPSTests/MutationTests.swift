import CGPS
import FoundationEssentials
import Positioning
import TestSupport
import Testing

@testable import Gpsd

/// Tens of thousands of damaged lines, the same in every run.
@Suite("Damaged lines neither crash nor hang the parser", .timeLimit(.minutes(TestDeadline.minutes)))
struct MutationTests {
  /// Any valid JSON.
  private struct Anything: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  private static let pieces = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "1e999", "-", "0", "\u{0}", "\r", "\\u0000", "\"lat\":",
    "é",
    #","satellites":[{"PRN":1}]"#, #"{"class":"TPV"}"#, String(repeating: "[", count: 40),
    String(repeating: "9", count: 70),
  ]

  private static func damage(_ line: [UInt8], using random: inout SeededRandom) -> [UInt8] {
    var damaged = line
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      // The prefix stays mostly intact, because the parsers only run behind it.
      let place = damaged.isEmpty ? 0 : Int.random(in: min(12, damaged.count - 1)..<damaged.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where !damaged.isEmpty: damaged[place] = UInt8.random(in: 0...255, using: &random)
      case 1 where !damaged.isEmpty: damaged.remove(at: place)
      case 2: damaged.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
      case 3: damaged.removeSubrange(place...)
      case 4:
        let end = Int.random(in: place...damaged.count, using: &random)
        damaged.insert(contentsOf: Array(damaged[place..<end]), at: place)
      default: damaged.swapAt(place, Int.random(in: 0..<max(1, damaged.count), using: &random))
      }
      if damaged.isEmpty { return damaged }
    }
    return damaged
  }

  @Test("After any input, the next whole line is read as usual", arguments: [1, 2, 3, 4] as [UInt64])
  func damagedLines(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let parser = LibgpsParser()
    var accepted = 0
    for round in 0..<15_000 {
      let (line, _) = sampleLines[Int.random(in: 0..<sampleLines.count, using: &random)]
      let damaged = Self.damage(Array(line.utf8), using: &random)
      let report = parser.parse(damaged)
      #expect(report.class != CGPS_SKEWED)
      accepted += report.class == CGPS_INVALID || report.class == CGPS_IGNORED ? 0 : 1
      for index in 0..<report.satellite_count {
        _ = parser.satellite(index)
      }
      if round % 500 == 0 {
        let whole = parser.parse(sampleLines[1].line)
        #expect(whole.mode == 3 && whole.latitude == 37.26 && whole.longitude == -121.96)
        #expect(parser.parse(sampleLines[2].line).satellite_count == 2)
      }
    }
    // Damage that leaves nothing readable would test the first byte alone.
    #expect(accepted > 500 && accepted < 14_000)
  }

  @Test("A line that is not JSON is rejected", arguments: [11, 12] as [UInt64])
  func onlyJSON(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let parser = LibgpsParser()
    var accepted = 0
    for _ in 0..<5_000 {
      let (line, expected) = sampleLines[Int.random(in: 0..<sampleLines.count, using: &random)]
      let damaged = Self.damage(Array(line.utf8), using: &random)
      // Escapes of half a character, and invalid UTF-8, are accepted on purpose: paths may have both.
      guard let text = String(validating: damaged, as: UTF8.self), !text.contains("\\u") else { continue }
      if parser.parse(damaged).class == expected {
        accepted += 1
        #expect(Self.isJSON(damaged), "\(text)")
      }
    }
    #expect(accepted > 100)
  }

  private static func isJSON(_ line: [UInt8]) -> Bool {
    do {
      _ = try JSONDecoder().decode(Anything.self, from: Data(line))
      return true
    } catch {
      return false
    }
  }
}
