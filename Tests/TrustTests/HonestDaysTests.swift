import Positioning
import Testing

@testable import Trust

@Suite struct HonestDaysTests {
  @Test(
    "Nothing speaks against an honest receiver in ten days of tunnels, reflections and cold starts",
    arguments: 1...10 as ClosedRange<UInt64>)
  func honest(seed: UInt64) {
    var day = HonestDay(seed: seed)
    day.live()
    #expect(day.reasons.isEmpty, "\(day.story)")
    #expect(day.fixes > 5_000 && Double(day.trusted) > 0.6 * Double(day.fixes), "\(day.trusted) of \(day.fixes)")
  }
}
