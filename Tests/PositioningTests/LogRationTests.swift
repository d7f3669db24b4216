import Positioning
import Testing

@Suite struct LogRationTests {
  /// What is logged of messages at these seconds, with the number that was left out before.
  private func logged(_ ration: LogRation, at seconds: [Double]) -> [Double: Int] {
    var ration = ration
    var logged: [Double: Int] = [:]
    for second in seconds { logged[second] = ration.take(now: Instant(sinceBoot: .seconds(second))) }
    return logged
  }

  @Test("One message in each interval, from the last one on")
  func one() {
    let logged = self.logged(LogRation(interval: .seconds(10)), at: [1, 2, 10, 12, 21, 22.5, 90, 91])
    #expect(logged == [1: 0, 12: 2, 22.5: 1, 90: 0])
  }

  @Test("Some at once, and each interval gives one back")
  func several() {
    let logged = self.logged(LogRation(atOnce: 2, interval: .seconds(10)), at: [0, 1, 2, 3, 11, 12, 50, 51, 52])
    #expect(logged == [0: 0, 1: 0, 11: 2, 50: 1, 51: 0])
  }
}
