import Positioning
import Testing

@testable import Broker

@Suite struct TrailTests {
  @Test(
    "A trail keeps the fixes of its last 15 s, of a fast receiver no more than of a slow one",
    arguments: [1.0, 10, 50])
  func limit(rate: Double) {
    var trail = Trail()
    for number in 0..<Int(60 * rate) { _ = trail.extend(by: fix(Double(number) / rate, Double(number))) }
    #expect((12...20).contains(trail.recent.count), "\(trail.recent.count)")
  }
}
