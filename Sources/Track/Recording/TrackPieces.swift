import Positioning

/// Divides a growing recording into pieces, each of which is taken once.
struct TrackPieces: Hashable, Sendable {
  /// Fixes of one segment.
  struct Piece: Hashable, Sendable {
    /// At least one.
    let points: [TrackPoint]
    /// The time of each point, as far as known now; times are computed again at the end of the recording.
    let times: [Timestamp]
    /// The last point of the previous piece, if this piece continues its segment.
    let last: Link?
  }

  struct Link: Hashable, Sendable {
    let point: TrackPoint
    let time: Timestamp
  }

  /// The number of newest fixes by which the receiver's clock is judged.
  private static let judged = 1000

  private var segment = 0
  /// The number of fixes of the segment that were taken.
  private var taken = 0

  /// The fixes since the last call.
  mutating func take(_ recorder: TrackRecorder, boot: Double) -> [Piece] {
    let segments = recorder.segments
    guard self.segment < segments.count else { return [] }
    let waiting = segments[self.segment...].map(\.count).reduce(0, +) - self.taken
    let clock = TrackClock(segments.joined().suffix(max(waiting, Self.judged)), boot: boot)
    var pieces: [Piece] = []
    for place in self.segment..<segments.count {
      let points = Array(segments[place].dropFirst(self.taken))
      if !points.isEmpty {
        var clock = clock
        let link = self.taken > 0 ? segments[place][self.taken - 1] : nil
        let last = link.map { Link(point: $0, time: clock.time(of: $0)) }
        pieces.append(Piece(points: points, times: points.map { clock.time(of: $0) }, last: last))
      }
      (self.segment, self.taken) = (place, segments[place].count)
      if place < segments.count - 1 { self.taken = 0 }
    }
    return pieces
  }
}
