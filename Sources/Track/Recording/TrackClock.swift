import Positioning

/// The times of a track's fixes.
///
/// Receivers' clocks jump: by seconds until they know the leap seconds, by minutes, and by decades. The clock since
/// boot does not. So the difference between the two clocks on which most fixes agree is taken as true, and a receiver's
/// time that does not match it is ignored.
struct TrackClock: Hashable, Sendable {
  /// Seconds by which a receiver's time may differ from its report's arrival, because the delay of reports varies.
  private static let tolerance = 2.0

  /// The time of the boot in seconds since 1970.
  private let boot: Double
  private var newest = -Double.infinity

  /// - Parameters:
  ///   - points: All points of the track.
  ///   - boot: The time of the boot by the machine's clock, in seconds since 1970, for receivers without a time.
  init(_ points: some Sequence<TrackPoint>, boot: Double) {
    let differences = points.compactMap { point in
      point.receiverTime.map { $0.seconds - point.arrival }
    }.sorted()
    self.boot = differences.isEmpty ? boot : differences[differences.count / 2]
  }

  /// The time of the next point; never before that of the previous point.
  mutating func time(of point: TrackPoint) -> Timestamp {
    let expected = self.boot + point.arrival
    let reported = point.receiverTime?.seconds ?? expected
    self.newest = max(self.newest, abs(reported - expected) <= Self.tolerance ? reported : expected)
    return Timestamp(seconds: self.newest)
  }
}
