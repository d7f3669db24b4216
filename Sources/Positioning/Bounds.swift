/// Numbers that come from elsewhere, made such that sums of them cannot overflow.
///
/// A daemon, a file or a program may say any number, and Swift's own conversions and sums trap where the result does not
/// fit. Whatever is read from the wire becomes a duration by `bounded(seconds:)`, and counts are added by `plus`.
extension Duration {
  /// About 31 years: longer than anything that is meant, and ten of them are far from overflow.
  package static let longest = Duration.seconds(1_000_000_000)

  /// So many seconds, but at most `longest` either way; what is no number is none.
  package static func bounded(seconds: Double) -> Duration {
    guard !seconds.isNaN else { return .zero }
    let bound = Duration.longest.seconds
    return .seconds(min(max(seconds, -bound), bound))
  }

  /// The same, but at most `longest` either way.
  package var bounded: Duration { min(max(self, .zero - .longest), .longest) }
}

extension Int {
  /// The sum; where it does not fit, the number nearest to it.
  package func plus(_ other: Int) -> Int {
    let (sum, overflows) = self.addingReportingOverflow(other)
    guard overflows else { return sum }
    return other < 0 ? .min : .max
  }
}
