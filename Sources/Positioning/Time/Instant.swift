/// A moment on the clock that counts since boot and continues while the machine sleeps (`CLOCK_BOOTTIME`).
///
/// All ages and deadlines are measured on it: suspend counts as age, and a stepped wall clock has no effect.
public struct Instant: Hashable, Comparable, Sendable {
  /// The time since boot, suspend included.
  public var sinceBoot: Duration

  public init(sinceBoot: Duration) {
    self.sinceBoot = sinceBoot
  }

  /// Whether it is before this boot, so that its age is unknown.
  ///
  /// Only the wall clock connects two boots, and on a device without a battery it stands still while the power is off.
  /// The value below zero is an estimate that is good enough to show; no decision depends on its age.
  public var isBeforeBoot: Bool { self.sinceBoot < .zero }

  /// The boot.
  public static let boot = Instant(sinceBoot: .zero)

  /// The last moment before this boot: moments of an earlier boot are not later.
  public static let lastBeforeBoot = Instant(sinceBoot: .nanoseconds(-1))

  public static func < (left: Instant, right: Instant) -> Bool {
    left.sinceBoot < right.sinceBoot
  }

  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(sinceBoot: instant.sinceBoot + duration)
  }

  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(sinceBoot: instant.sinceBoot - duration)
  }

  public static func - (later: Instant, earlier: Instant) -> Duration {
    later.sinceBoot - earlier.sinceBoot
  }
}

extension Duration {
  /// The duration in seconds, for the wire and for formulae.
  public var seconds: Double {
    // The general division takes three times as long.
    let attoseconds = self.attoseconds
    let magnitude = attoseconds.magnitude
    let high = Double(UInt64(truncatingIfNeeded: magnitude >> 64)), low = Double(UInt64(truncatingIfNeeded: magnitude))
    let seconds = (high * 0x1p64 + low) / 1e18
    return attoseconds < 0 ? -seconds : seconds
  }
}

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

  /// This duration, but at most `longest` in either direction.
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
