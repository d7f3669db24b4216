import FoundationEssentials
import Positioning
import Testing

@Suite("Times of the wall clock")
struct TimestampTests {
  @Test("Texts agree with another implementation, from the year 1600 on")
  func otherImplementation() throws {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var random = SeededRandom(seed: 1)
    for _ in 0..<5000 {
      let time = Timestamp(milliseconds: Int64.random(in: -11_676_096_000_000...253_402_300_799_999, using: &random))
      let text = time.description
      #expect(Timestamp(seconds: try Date(text, strategy: style).timeIntervalSince1970) == time, "\(text)")
      #expect(Timestamp(text) == time)
      #expect(Timestamp(time.calendar) == time)
    }
  }

  @Test(
    "A text with any fraction, or with an offset from UTC, is read to the nearest millisecond",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.5Z", 500), ("1970-01-01T00:00:00.0004999999999999Z", 0),
      ("1970-01-01T00:00:00.9996Z", 1000), ("1970-01-01T01:30:00+01:30", 0), ("1969-12-31T23:00:00.001-01:00", 1),
      ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
  func reading(text: String, milliseconds: Int64) {
    #expect(Timestamp(text) == Timestamp(milliseconds: milliseconds))
  }

  @Test(
    "An invalid time is refused",
    arguments: [
      "", "Z", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31T12:00:00.Z", "2026-01-31 12:00:00Z",
      "2026-02-29T12:00:00Z", "2026-13-01T12:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z",
      "2026-01-31T12:00:00ZZ", "2026-01-31T12:00:00+0100", "2026-01-31T12:00:00+01:00Z", "+026-01-31T12:00:00Z",
      "26-01-31T12:00:00Z", "2026-1-31T12:00:00Z", "\u{FF12}026-01-31T12:00:00Z",
    ])
  func noTime(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test("Times before 1970 and before the year 1 have a text")
  func early() {
    #expect(Timestamp(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: -62_135_596_800_001).description == "0000-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: -62_167_219_200_001).description == "-0001-12-31T23:59:59.999Z")
  }

  @Test("Seconds and durations are rounded to the nearest millisecond, halves away from zero")
  func rounding() {
    #expect(Timestamp(seconds: 1.2345).milliseconds == 1235 && Timestamp(seconds: -1.2344).milliseconds == -1234)
    #expect(Timestamp(since1970: .microseconds(1499)).milliseconds == 1)
    #expect(Timestamp(since1970: .microseconds(-1500)).milliseconds == -2)
    #expect(Timestamp.epoch + .microseconds(2500) == Timestamp(milliseconds: 3))
    #expect(Timestamp(milliseconds: 1500) - Timestamp(milliseconds: 2000) == .milliseconds(-500))
    #expect(Timestamp(milliseconds: 1999).wholeSeconds == Timestamp(milliseconds: 1000))
    #expect(Timestamp(milliseconds: -1).wholeSeconds == Timestamp(milliseconds: -1000))
  }

  @Test("A moment on the clock since boot has the wall clock's time, rounded once")
  func moment() {
    let now = Instant(sinceBoot: .microseconds(10_000_400))
    let time = Timestamp(
      of: Instant(sinceBoot: .microseconds(9_000_000)), now: now, since1970: .microseconds(5_000_300))
    #expect(time.milliseconds == 4000)
  }
}
