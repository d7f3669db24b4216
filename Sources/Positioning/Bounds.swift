/// Limits for foreign numbers, so that sums cannot overflow.
///
/// A daemon, a file or a program may send any number, and Swift's conversions and sums trap if the result does not fit.
/// Numbers from the wire become durations by `bounded(seconds:)`, and counts are added by `plus`.
extension Duration {
  /// About 31 years: longer than any meaningful time, and ten of them do not overflow.
  package static let longest = Duration.seconds(1_000_000_000)

  /// So many seconds, but at most `longest` in either direction; zero for NaN.
  package static func bounded(seconds: Double) -> Duration {
    guard !seconds.isNaN else { return .zero }
    let bound = Duration.longest.seconds
    return .seconds(min(max(seconds, -bound), bound))
  }

  /// The same duration, but at most `longest` in either direction.
  package var bounded: Duration { min(max(self, .zero - .longest), .longest) }
}

extension Int {
  /// The sum; if it does not fit, the nearest number.
  package func plus(_ other: Int) -> Int {
    let (sum, overflows) = self.addingReportingOverflow(other)
    guard overflows else { return sum }
    return other < 0 ? .min : .max
  }
}
