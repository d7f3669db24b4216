import Geodesy
import Positioning

/// Where a track is divided into parts.
package enum TrackSplit: Hashable, Sendable {
  /// After so many seconds.
  case time(Double)
  /// After so many metres beyond the errors.
  case distance(Double)
  /// Where the device goes on after a rest.
  case stop

  /// A rest of so many seconds ends a part.
  package static let leastStop = 120.0
}

/// Finds the ends of a track's parts, fix by fix. The fix that ends a part also begins the next one, so that no way is missing
/// between two of them.
package struct TrackSplitter: Sendable {
  private let split: TrackSplit
  private var odometer = Odometer()
  /// When the part began, in seconds.
  private var start: Double?
  private var newest: (place: Coordinate, accuracy: Double?, time: Double)?
  private var isInterrupted = false
  /// Seconds without fixes in which the device rested, as one that was turned off where it stood.
  private var restUnseen = 0.0

  package init(_ split: TrackSplit) { self.split = split }

  /// Fixes are missing before the next one.
  package mutating func interrupted() {
    self.odometer.interrupted()
    self.isInterrupted = true
  }

  /// Takes the next point.
  ///
  /// - Parameter time: Seconds, not before those of the point before.
  /// - Returns: Whether it ends the part.
  package mutating func endsPart(_ point: TrackPoint, at time: Double) -> Bool {
    let step = self.odometer.moved(to: point.place, accuracy: point.horizontalAccuracy, at: time)
    self.resumed(at: point, time)
    self.newest = (point.place, point.horizontalAccuracy, time)
    guard let start = self.start else {
      self.start = time
      return false
    }
    let rest = (step?.resting ?? 0) + self.restUnseen
    if step != nil { self.restUnseen = 0 }
    let isOver =
      switch self.split {
      case .time(let limit): time - start >= limit
      case .distance(let limit): step != nil && self.odometer.length >= limit
      case .stop: step != nil && rest >= TrackSplit.leastStop
      }
    guard isOver else { return false }
    self.odometer = Odometer()
    self.odometer.moved(to: point.place, accuracy: point.horizontalAccuracy, at: time)
    self.start = time
    return true
  }

  /// There are fixes again, perhaps where they ended.
  private mutating func resumed(at point: TrackPoint, _ time: Double) {
    defer { self.isInterrupted = false }
    guard self.isInterrupted, let newest else { return }
    let distance = Geodesy.distance(from: newest.place, to: point.place)
    guard distance <= Odometer.explained(newest.accuracy, point.horizontalAccuracy) else { return }
    self.restUnseen += time - newest.time
  }
}

extension RecordedTrack {
  /// The parts of the track; itself if it has only one.
  package func parts(_ split: TrackSplit) -> [RecordedTrack] {
    var splitter = TrackSplitter(split)
    var parts: [[Segment]] = [[]]
    for segment in self.segments {
      splitter.interrupted()
      var first = 0
      for (index, (point, time)) in zip(segment.points, segment.times).enumerated()
      where splitter.endsPart(point, at: time.seconds) {
        parts[parts.count - 1].append(segment[first...index])
        parts.append([])
        first = index
      }
      parts[parts.count - 1].append(segment[first...(segment.points.count - 1)])
    }
    // The fix that ended the last part is no part of its own.
    if parts.count > 1, let last = parts.last, last.count == 1, last[0].points.count == 1 { parts.removeLast() }
    return parts.compactMap { RecordedTrack($0, device: self.device) }
  }
}

extension RecordedTrack.Segment {
  fileprivate subscript(range: ClosedRange<Int>) -> RecordedTrack.Segment {
    RecordedTrack.Segment(points: Array(self.points[range]), times: Array(self.times[range]))
  }
}
