/// Finds two edges of a flat polygon that meet anywhere but at a common vertex.
struct SelfIntersection {
  private struct Edge {
    let index: Int
    let start: PlanePoint
    let end: PlanePoint

    var left: Double { min(self.start.x, self.end.x) }
    var right: Double { max(self.start.x, self.end.x) }
    var low: Double { min(self.start.y, self.end.y) }
    var high: Double { max(self.start.y, self.end.y) }
  }

  /// The indices of the vertices at which the two edges begin, the smaller first; `nil` if no edges meet.
  ///
  /// It sweeps from left to right and compares only edges that lie above one another: far fewer than all pairs.
  static func first(in points: [PlanePoint]) -> (Int, Int)? {
    let edges = points.indices.map { index in
      Edge(index: index, start: points[index], end: points[(index + 1) % points.count])
    }
    var open: [Edge] = []
    for edge in edges.sorted(by: { ($0.left, $0.index) < ($1.left, $1.index) }) {
      open.removeAll { $0.right < edge.left }
      for other in open where other.low <= edge.high && other.high >= edge.low {
        if self.meet(edge, other, of: points.count) {
          return (min(edge.index, other.index), max(edge.index, other.index))
        }
      }
      open.append(edge)
    }
    return nil
  }

  private static func meet(_ one: Edge, _ other: Edge, of count: Int) -> Bool {
    if (one.index + 1) % count == other.index { return self.foldsBack(one, other) }
    if (other.index + 1) % count == one.index { return self.foldsBack(other, one) }
    let first = one.start.turn(one.end, other.start)
    let second = one.start.turn(one.end, other.end)
    let third = other.start.turn(other.end, one.start)
    let fourth = other.start.turn(other.end, one.end)
    if (first > 0) != (second > 0), (third > 0) != (fourth > 0), first != 0, second != 0, third != 0, fourth != 0 {
      return true
    }
    return first == 0 && self.spans(one, other.start) || second == 0 && self.spans(one, other.end)
      || third == 0 && self.spans(other, one.start) || fourth == 0 && self.spans(other, one.end)
  }

  /// Whether an edge runs back along the one before it.
  private static func foldsBack(_ edge: Edge, _ next: Edge) -> Bool {
    let turn = edge.start.turn(edge.end, next.end)
    let forward =
      (edge.end.x - edge.start.x) * (next.end.x - next.start.x)
      + (edge.end.y - edge.start.y) * (next.end.y - next.start.y)
    return forward < 0 && abs(turn) <= -forward * 1e-12
  }

  /// Whether a point on the edge's line lies between its ends.
  private static func spans(_ edge: Edge, _ point: PlanePoint) -> Bool {
    point.x >= edge.left && point.x <= edge.right && point.y >= edge.low && point.y <= edge.high
  }
}
