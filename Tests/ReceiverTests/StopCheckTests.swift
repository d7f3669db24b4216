import Positioning
import Testing

@testable import Receiver

/// Which reports say whether a receiver obeyed a stop.
@Suite struct StopCheckTests {
  private func at(_ seconds: Double) -> Instant { Instant(sinceBoot: .milliseconds(Int64(seconds * 1000))) }

  @Test("Reports count from two seconds after the stop on, those that were on their way do not", arguments: [1.9, 2])
  func settled(seconds: Double) {
    var check = StopCheck(sentAt: self.at(0), cycle: .seconds(1), worked: true)
    check.reported(isWorking: false, now: self.at(seconds))
    #expect(check.verdict(now: self.at(4.9)) == nil)
    #expect(check.verdict(now: self.at(5)) == .stopped(seconds < 2 ? Evidence.silence : Evidence.stoppedReports))
  }
}
