import Positioning

/// A line of positions that does not cross the antimeridian, as RFC 7946 recommends.
struct GeoLine: Hashable, Sendable {
  struct Position: Hashable, Sendable {
    var place: Coordinate
    /// Metres above the ellipsoid, which is GeoJSON's definition of height.
    var height: Double?
    var time: Timestamp
    /// The fix; `nil` at the antimeridian.
    var point: TrackPoint?
  }

  /// At least two, as GeoJSON requires: a single position is repeated.
  let positions: [Position]

  /// The lines of a segment, cut where it crosses the antimeridian: each part begins or ends on the antimeridian.
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

  /// The point at which the way between two positions crosses the antimeridian, on both of its sides.
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
