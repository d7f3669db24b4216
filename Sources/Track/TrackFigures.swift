import Geodesy
import Positioning
import Printable

/// What a track says of the device's way: how far, for how long, how fast and how high. What is within the errors of the fixes
/// does not count.
package struct TrackFigures: Hashable, Sendable {
  /// The number of fixes.
  package private(set) var count = 0
  /// The number of segments.
  package private(set) var segments = 0
  /// Metres.
  package private(set) var distance = 0.0
  /// Seconds from the first to the last fix, gaps included.
  package private(set) var duration = 0.0
  /// Seconds in which the device moved.
  package private(set) var moving = 0.0
  /// Seconds in which it rested.
  package private(set) var resting = 0.0
  /// Metres per second: the fastest that two fixes in a row, or half a minute of way, vouch for.
  private var fastestWay: Double?
  /// Metres up; `nil` if no altitude is known.
  package private(set) var climb: Double?
  /// Metres down; `nil` if no altitude is known.
  package private(set) var descent: Double?
  /// How often fixes are missing between two segments.
  package private(set) var gaps = 0
  /// Seconds in which they are.
  package private(set) var missing = 0.0

  /// Metres per second while the device moved; `nil` if it did not.
  package var averageSpeed: Double? { self.moving > 0 && self.distance > 0 ? self.distance / self.moving : nil }

  /// Metres per second: the fastest that a part of the way vouches for, and no less than the average; `nil` if it did not move.
  package var largestSpeed: Double? { [self.fastestWay, self.averageSpeed].compactMap(\.self).max() }

  /// Such as `512 fixes, 5.02 km in 8 min`, in a person's own units.
  ///
  /// - Parameter words: Writes metres for people.
  package func summary(distance words: (_ meters: Double) -> String) -> String {
    let parts = self.segments == 1 ? "" : ", \(self.segments) segments"
    return "\(self.count.counted("fix", "fixes")), \(words(self.distance)) in \(TimeSpan.words(self.duration))\(parts)"
  }

  init(_ segments: [RecordedTrack.Segment]) {
    var climb = Climb()
    var last: Timestamp?
    for segment in segments {
      var odometer = Odometer()
      var fastest = FastestWay()
      for (point, time) in zip(segment.points, segment.times) {
        let step = odometer.moved(to: point.place, accuracy: point.horizontalAccuracy, at: time.seconds)
        fastest.passed(point, at: time.seconds, step)
        if let altitude = point.altitude {
          climb.reached(altitude, accuracy: point.verticalAccuracy ?? point.horizontalAccuracy.map { 1.5 * $0 })
        }
      }
      climb.interrupted()
      self.add(segment, odometer, fastest)
      if let end = last, let start = segment.times.first, start > end {
        self.gaps += 1
        self.missing += (start - end).seconds
      }
      last = segment.times.last
    }
    (self.climb, self.descent) = (climb.up, climb.down)
    if let first = segments.first?.times.first, let last { self.duration = (last - first).seconds }
  }

  private mutating func add(_ segment: RecordedTrack.Segment, _ odometer: Odometer, _ fastest: FastestWay) {
    self.count += segment.points.count
    self.segments += 1
    self.distance += odometer.length
    self.moving += odometer.moving
    self.resting += odometer.resting
    if odometer.length > 0, let speed = fastest.speed { self.fastestWay = max(speed, self.fastestWay ?? 0) }
  }

  /// The figures of a recording in parts, each of which begins with the last fix of the one before.
  package static func + (one: TrackFigures, next: TrackFigures) -> TrackFigures {
    var sum = one
    sum.count += next.count - 1
    sum.segments += next.segments - 1
    sum.distance += next.distance
    sum.duration += next.duration
    sum.moving += next.moving
    sum.resting += next.resting
    sum.fastestWay = [one.fastestWay, next.fastestWay].compactMap(\.self).max()
    sum.climb = Self.sum(one.climb, next.climb)
    sum.descent = Self.sum(one.descent, next.descent)
    sum.gaps += next.gaps
    sum.missing += next.missing
    return sum
  }

  private static func sum(_ one: Double?, _ other: Double?) -> Double? {
    one == nil && other == nil ? nil : (one ?? 0) + (other ?? 0)
  }
}

/// The fastest way within a segment.
///
/// Receivers measure their speed well, but one wrong fix must not decide, and at rest no speed counts: a speed needs two
/// fixes in a row on a way that the device has certainly moved. Where no speed is known, it is the distance in half a minute
/// less the errors.
private struct FastestWay {
  /// Seconds.
  private static let window = 30.0

  private var certain: Double?
  /// The fastest of the way since the last step.
  private var pending: Double?
  private var lastSpeed: Double?
  private var recent: [(point: TrackPoint, time: Double)] = []
  /// The first of the recent points that is within the window.
  private var first = 0
  private var byPlaces: Double?

  /// Metres per second.
  var speed: Double? { self.certain ?? self.pending ?? self.byPlaces }

  mutating func passed(_ point: TrackPoint, at time: Double, _ step: Odometer.Step?) {
    if let step {
      if step.resting == 0, let pending { self.certain = max(pending, self.certain ?? 0) }
      self.pending = nil
    }
    if let speed = point.speed, let lastSpeed {
      self.pending = max(min(speed, lastSpeed), self.pending ?? 0)
    }
    self.lastSpeed = point.speed
    self.recent.append((point, time))
    while self.first < self.recent.count - 2, time - self.recent[self.first].time > Self.window { self.first += 1 }
    if self.first > 1000 {
      self.recent.removeFirst(self.first)
      self.first = 0
    }
    let (oldest, start) = self.recent[self.first]
    let distance =
      Geodesy.distance(from: oldest.place, to: point.place)
      - Odometer.explained(oldest.horizontalAccuracy, point.horizontalAccuracy)
    if time > start, distance > 0 { self.byPlaces = max(distance / (time - start), self.byPlaces ?? 0) }
  }
}
