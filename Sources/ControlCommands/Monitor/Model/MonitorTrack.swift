import Geodesy
import Positioning

/// The way of the last fixes, for a small drawing.
struct MonitorTrack: Sendable {
  /// More than the drawing has dots in a row.
  static let capacity = 512

  /// The places of each segment; a new one begins after a loss.
  private(set) var segments: [[Coordinate]] = []
  private var isInterrupted = true
  /// Fixes nearer than this to the last one are left out, in metres. It grows with the track.
  private var spacing = 1.0

  var newest: Coordinate? { self.segments.last?.last }

  mutating func add(_ fix: Fix) {
    guard fix.castsVotes else { return }
    if self.isInterrupted {
      self.isInterrupted = false
      self.segments.append([fix.coordinate])
    } else if let last = self.newest, Geodesy.distance(from: last, to: fix.coordinate) >= self.spacing {
      self.segments[self.segments.count - 1].append(fix.coordinate)
    }
    if self.segments.reduce(0, { $0 + $1.count }) > Self.capacity { self.thin() }
  }

  mutating func interrupt() { self.isInterrupted = true }

  /// Half of the places are enough: the drawing is as coarse.
  private mutating func thin() {
    self.spacing *= 2
    self.segments = self.segments.compactMap { segment in
      let kept = segment.enumerated().filter { $0.offset % 2 == 0 || $0.offset == segment.count - 1 }.map(\.element)
      return kept.isEmpty ? nil : kept
    }
    // Segments of one place do not become fewer by that.
    if self.segments.count > Self.capacity / 2 { self.segments.removeFirst(self.segments.count / 2) }
  }
}
