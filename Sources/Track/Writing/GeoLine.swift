import Positioning

/// A line of positions that does not cross the antimeridian, as RFC 7946 wants its lines.
struct GeoLine: Hashable, Sendable {
  struct Position: Hashable, Sendable {
    var place: Coordinate
    /// Metres above the ellipsoid, which is what GeoJSON means by a height.
    var height: Double?
    var time: Timestamp
    /// The fix; `nil` where the line was cut.
    var point: TrackPoint?
  }

  /// At least two, for a line of GeoJSON has no fewer: a single one stands twice.
  let positions: [Position]

  /// The lines of a segment, cut where it crosses the antimeridian: each half ends, or begins, on it.
  static func lines(of segment: RecordedTrack.Segment) -> [GeoLine] {
    var lines: [[Position]] = [[]]
    for (point, time) in zip(segment.points, segment.times) {
      let position = Position(place: point.place, height: point.ellipsoidalAltitude, time: time, point: point)
      if let last = lines[lines.count - 1].last, abs(position.place.longitude - last.place.longitude) > 180 {
        let cut = self.cut(from: last, to: position)
        lines[lines.count - 1].append(cut.end)
        lines.append([cut.start])
      }
      lines[lines.count - 1].append(position)
    }
    return lines.map { GeoLine(positions: $0.count == 1 ? $0 + $0 : $0) }
  }

  /// Where the way between two positions meets the antimeridian, on either side of it.
  private static func cut(from last: Position, to next: Position) -> (end: Position, start: Position) {
    let side: Double = last.place.longitude < 0 ? -180 : 180
    let width = next.place.longitude + 2 * side - last.place.longitude
    let share = width == 0 ? 0 : (side - last.place.longitude) / width
    var end = last
    end.point = nil
    end.place.longitude = side
    end.place.latitude += share * (next.place.latitude - last.place.latitude)
    end.time = last.time + (next.time - last.time) * share
    end.height = nil
    if let one = last.height, let other = next.height { end.height = one + share * (other - one) }
    var start = end
    start.place.longitude = -side
    return (end, start)
  }
}
