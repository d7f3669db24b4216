import Positioning

/// When the fixes of a track were.
///
/// Receivers' clocks jump: by seconds until they know the leap seconds, by minutes, and by decades. The clock since boot
/// does not. So the difference of the two on which most fixes agree is taken as true, and a receiver's time that does not
/// match it is ignored.
struct TrackClock: Hashable, Sendable {
  /// Seconds by which a receiver's time may differ from its report's arrival: reports are late, some more than others.
  private static let tolerance = 2.0

  /// Seconds since 1970 at the boot.
  private let boot: Double
  private var newest = -Double.infinity

  /// - Parameters:
  ///   - points: Of the whole track.
  ///   - boot: By the machine's own clock, in seconds since 1970, for receivers without a time.
  init(_ points: some Sequence<TrackPoint>, boot: Double) {
    let differences = points.compactMap { point in
      point.receiverTime.map { $0.seconds - point.arrival }
    }.sorted()
    self.boot = differences.isEmpty ? boot : differences[differences.count / 2]
  }

  /// The time of the next point; never before the one of the point before it.
  mutating func time(of point: TrackPoint) -> Timestamp {
    let expected = self.boot + point.arrival
    let reported = point.receiverTime?.seconds ?? expected
    self.newest = max(self.newest, abs(reported - expected) <= Self.tolerance ? reported : expected)
    return Timestamp(seconds: self.newest)
  }
}
