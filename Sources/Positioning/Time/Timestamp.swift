/// A moment of Coordinated Universal Time in whole milliseconds, the resolution of receivers, of gpsd and of the wire.
///
/// Leap seconds are not counted, as in POSIX time. It is for people and for records: ages and deadlines are measured
/// between values of `Instant`.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// - Parameter seconds: Since 1970, rounded to the nearest millisecond. It must be finite.
  public init(seconds: Double) {
    self.init(milliseconds: Int64((seconds * 1000).rounded()))
  }

  /// - Parameter since1970: Rounded to the nearest millisecond.
  public init(since1970: Duration) {
    self.init(milliseconds: since1970.nearestMilliseconds)
  }

  /// The wall clock's time of a moment.
  ///
  /// - Parameters:
  ///   - now: The moment at which the wall clock was read.
  ///   - since1970: What the wall clock showed then.
  public init(of instant: Instant, now: Instant, since1970: Duration) {
    self.init(since1970: since1970 - (now - instant))
  }

  /// 1970-01-01T00:00:00Z.
  public static let epoch = Timestamp(milliseconds: 0)

  /// Seconds since 1970.
  public var seconds: Double { Double(self.milliseconds) / 1000 }

  /// The beginning of its second.
  public var wholeSeconds: Timestamp { Timestamp(milliseconds: self.milliseconds.flooredQuotient(by: 1000) * 1000) }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  public static func + (time: Timestamp, duration: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + duration.nearestMilliseconds)
  }

  public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
    .milliseconds(later.milliseconds - earlier.milliseconds)
  }
}

extension Duration {
  /// Rounded, half away from zero, and bounded to some hundred million years.
  package var nearestMilliseconds: Int64 {
    let half: Int128 = self < .zero ? -500_000_000_000_000 : 500_000_000_000_000
    let bound = (1 << 52) * 1000 as Int128
    return Int64(max(-bound, min((self.attoseconds + half) / 1_000_000_000_000_000, bound)))
  }
}
