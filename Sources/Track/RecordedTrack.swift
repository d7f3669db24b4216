package import Positioning
import Printable

/// A finished track, or a part of one, ready to be written.
package struct RecordedTrack: Hashable, Sendable {
  /// Fixes that follow each other closely; at least one.
  package struct Segment: Hashable, Sendable {
    package let points: [TrackPoint]
    /// The time of each point.
    package let times: [Timestamp]
  }

  /// At least one.
  package let segments: [Segment]
  /// What it says of the device's way.
  package let figures: TrackFigures
  package let start: Timestamp
  package let end: Timestamp
  /// The receiver's path as gpsd knows it.
  package let device: String?
  /// Places to be written with it.
  package var waypoints: [TrackWaypoint] = []

  /// `nil` if there was no fix.
  ///
  /// - Parameter boot: The time of the boot by the machine's clock, in seconds since 1970.
  package init?(_ recorder: TrackRecorder, boot: Double) {
    var clock = TrackClock(recorder.segments.joined(), boot: boot)
    let segments = recorder.segments.map { points in
      Segment(points: points, times: points.map { clock.time(of: $0) })
    }
    guard let start = segments.first?.times.first, let end = segments.last?.times.last else { return nil }
    self.segments = segments
    self.figures = TrackFigures(segments)
    self.device = recorder.device
    self.start = start
    self.end = end
  }

  /// `nil` if there is no point.
  init?(_ segments: [Segment], device: String?) {
    let segments = segments.filter { !$0.points.isEmpty }
    guard let start = segments.first?.times.first, let end = segments.last?.times.last else { return nil }
    self.segments = segments
    self.figures = TrackFigures(segments)
    self.device = device
    self.start = start
    self.end = end
  }

  /// The number of fixes.
  package var count: Int { self.figures.count }
  /// Metres beyond the errors of the fixes.
  package var length: Double { self.figures.distance }
  /// Seconds.
  package var duration: Double { self.figures.duration }

  /// Such as `Track of 2026-01-31, 12:00 to 13:28 UTC`; the title of a short track has seconds.
  package var title: String {
    let start = "\(self.start)"
    let end = "\(self.end)"
    let digits = self.duration < 600 ? 8 : 5
    let endDay = start.prefix(10) == end.prefix(10) ? "" : "\(end.prefix(10)), "
    let (from, to) = (start.dropFirst(11).prefix(digits), end.dropFirst(11).prefix(digits))
    return "Track of \(start.prefix(10)), \(from) to \(endDay)\(to) UTC"
  }

  /// Such as `512 fixes, 5.02 km in 8 min`.
  package var summary: String { self.figures.summary(distance: Distance.words) }

  /// The known 68 % radii in metres, in ascending order.
  var accuracies: [Double] {
    self.segments.flatMap { $0.points.compactMap(\.horizontalAccuracy) }.sorted()
  }
}

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
