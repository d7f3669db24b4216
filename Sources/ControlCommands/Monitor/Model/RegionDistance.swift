import Geodesy
import Glibc
import Positioning

/// How far the device is from the edge of a region.
enum RegionDistance {
  /// Metres to the nearest point of the edge, from inside as from outside.
  static func toEdge(of shape: RegionShape, from place: Coordinate) -> Double {
    switch shape {
    case .circle(let center, let radius): return abs(Geodesy.distance(from: place, to: center) - radius)
    case .polygon(let corners):
      // A plane around the device is exact enough near it, and what is far away needs no more than a magnitude.
      let points = corners.map { self.flat($0, around: place) }
      let edges = zip(points, points.dropFirst() + points.prefix(1))
      return edges.map { self.distance(fromOriginTo: $0, $1) }.min() ?? 0
    }
  }

  private static func flat(_ corner: Coordinate, around place: Coordinate) -> (x: Double, y: Double) {
    let distance = Geodesy.distance(from: place, to: corner)
    let bearing = (Geodesy.bearing(from: place, to: corner) ?? 0).radians
    return (distance * sin(bearing), distance * cos(bearing))
  }

  private static func distance(fromOriginTo start: (x: Double, y: Double), _ end: (x: Double, y: Double)) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = dx * dx + dy * dy
    let along = length > 0 ? min(max(-(start.x * dx + start.y * dy) / length, 0), 1) : 0
    return hypot(start.x + along * dx, start.y + along * dy)
  }
}
