import Positioning

extension Duration {
  /// The duration in whole microseconds, rounded up so that a wait is never too short; 0 when negative.
  var microsecondsRoundedUp: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return .max }
    let part = (UInt64(attoseconds) + 999_999_999_999) / 1_000_000_000_000
    let (sum, carries) = whole.addingReportingOverflow(part)
    return carries ? .max : sum
  }
}

extension Instant {
  /// sd-event's time: microseconds of CLOCK_BOOTTIME.
  init(microseconds: UInt64) {
    let (seconds, part) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    self.init(sinceBoot: .seconds(seconds) + .microseconds(part))
  }
}
