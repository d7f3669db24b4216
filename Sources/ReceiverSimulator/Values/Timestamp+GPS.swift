package import Positioning

extension Timestamp {
  /// GPS time minus UTC, in seconds, since 2017-01-01.
  package static let leapSeconds: Int64 = 18

  private static let millisecondsOfWeek: Int64 = 7 * 86_400_000
  /// 1980-01-06, when GPS time began.
  private static let gpsEpoch = Timestamp(milliseconds: 3657 * 86_400_000)

  /// The moment in GPS time: weeks since 1980-01-06, not rolled over, and milliseconds of the week.
  package var gps: (week: Int, timeOfWeek: Int) {
    let elapsed = self.milliseconds - Self.gpsEpoch.milliseconds + Self.leapSeconds * 1000
    let week = elapsed.flooredQuotient(by: Self.millisecondsOfWeek)
    return (Int(week), Int(elapsed - week * Self.millisecondsOfWeek))
  }

  /// The first multiple of `period` after this moment.
  package func next(every period: Duration) -> Timestamp {
    let step = period.wholeMilliseconds
    return Timestamp(milliseconds: (self.milliseconds.flooredQuotient(by: step) + 1) * step)
  }
}

extension Duration {
  /// The duration in milliseconds, rounded down towards zero.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = self.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
