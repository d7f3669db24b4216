/// A polygon's edges in short runs of neighbours, each with an enclosing ball and rectangle: most questions about the
/// edge are answered for a whole run without looking at its edges.
struct EdgeRuns: Hashable, Sendable {
  /// The number of edges of one run.
  private static let length = 16

  struct Run: Hashable, Sendable {
    private let first: Int32
    private let end: Int32
    /// A ball that contains the edges, as arcs of great circles.
    let middle: Vector
    let radius: Double
    /// A rectangle of the plane that contains them.
    let low: PlanePoint
    let high: PlanePoint
  }

  let runs: [Run]

  /// - Parameter vertices: Unit vectors that the plane can show.
  init(_ vertices: [Vector], on plane: TangentPlane) {
    self.runs = stride(from: 0, to: vertices.count, by: Self.length).map { start in
      Run(start..<min(start + Self.length, vertices.count), of: vertices, on: plane)
    }
  }
}

extension EdgeRuns.Run {
  /// The indices of the vertices at which its edges begin.
  var edges: Range<Int> { Int(self.first)..<Int(self.end) }

  fileprivate init(_ edges: Range<Int>, of vertices: [Vector], on plane: TangentPlane) {
    // One more vertex than edges: the last edge ends where the next run begins.
    let ends = (edges.lowerBound...edges.upperBound).map { vertices[$0 % vertices.count] }
    let middle = ends.reduce(Vector(x: 0, y: 0, z: 0), +) * (1 / Double(ends.count))
    var radius = 0.0
    var longest = 0.0
    var low = PlanePoint(x: .infinity, y: .infinity)
    var high = PlanePoint(x: -.infinity, y: -.infinity)
    for (index, end) in ends.enumerated() {
      radius = max(radius, (end - middle).squaredLength)
      if index > 0 { longest = max(longest, (end - ends[index - 1]).squaredLength) }
      guard let point = plane.project(end) else { continue }
      low = PlanePoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = PlanePoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    self.first = Int32(edges.lowerBound)
    self.end = Int32(edges.upperBound)
    self.middle = middle
    // The distance of an arc from its chord is less than a fourth of the square of its length, for arcs of up to half a
    // circle.
    self.radius = radius.squareRoot() + longest / 4
    self.low = low
    self.high = high
  }
}
