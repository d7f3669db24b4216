/// A polygon on the sphere of normals: its edges are great circles, its inside is the smaller side.
///
/// Poles and the antimeridian need no special treatment here. Distances are left to the code that knows the ellipsoid:
/// the polygon returns the nearest point of its edge.
///
/// There may be thousands of polygons with a thousand corners each. So it shares the array of coordinates with its
/// region, and computes a corner's vector when it is needed.
package struct SphericalPolygon: Hashable, Sendable {
  private let corners: [Coordinate]
  /// Contains the vertices and so, being smaller than half of the globe, all of the inside.
  package let cap: Cap
  private let runs: EdgeRuns
  /// The corners' vectors, for long computations.
  private var unpacked: [Vector]?

  /// `nil` for a polygon that spans half of the globe. `Region.checked` checks everything else.
  ///
  /// - Parameter cap: A cap from an earlier computation; ignored if it does not contain the polygon.
  package init?(_ coordinates: [Coordinate], cap: Cap? = nil) {
    let vertices = coordinates.map(\.normal)
    let kept = cap.flatMap { $0.isSound && $0.holds(vertices) ? $0 : nil }
    guard !vertices.isEmpty, let cap = kept ?? Cap(holding: vertices) else { return nil }
    self.corners = coordinates
    self.cap = cap
    self.runs = EdgeRuns(vertices, on: TangentPlane(at: cap.center))
  }

  /// Unit vectors.
  package var vertices: [Vector] { self.unpacked ?? self.corners.map(\.normal) }

  var plane: TangentPlane { TangentPlane(at: self.cap.center) }

  /// The polygon with all vectors computed, for a search that needs each corner hundreds of times.
  var ready: SphericalPolygon {
    var ready = self
    ready.unpacked = self.vertices
    return ready
  }

  /// The vertices on the tangent plane at the cap's centre.
  var flattened: [PlanePoint] {
    let plane = self.plane
    return self.vertices.compactMap { plane.project($0) }
  }

  /// Whether the place lies inside. A place exactly on the edge may count as either.
  package func contains(_ normal: Vector) -> Bool {
    let plane = self.plane
    guard self.cap.holds(normal), let point = plane.project(normal) else { return false }
    // A point is inside if a line from it to the right crosses the edge an odd number of times.
    var isInside = false
    for run in self.runs.runs where run.low.y <= point.y && run.high.y >= point.y && run.high.x >= point.x {
      if run.low.x > point.x {
        // The whole run lies to the right: only whether it ends on the side on which it began matters.
        guard let start = self.point(run.edges.lowerBound, on: plane),
          let end = self.point(run.edges.upperBound, on: plane)
        else { return false }
        if (start.y > point.y) != (end.y > point.y) { isInside.toggle() }
      } else {
        if self.crossesOddly(run, rightOf: point, on: plane) { isInside.toggle() }
      }
    }
    return isInside
  }

  private func crossesOddly(_ run: EdgeRuns.Run, rightOf point: PlanePoint, on plane: TangentPlane) -> Bool {
    guard var start = self.point(run.edges.lowerBound, on: plane) else { return false }
    var isOdd = false
    for index in run.edges {
      guard let end = self.point(index + 1, on: plane) else { return false }
      if (start.y > point.y) != (end.y > point.y) {
        let x = start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x)
        if point.x < x { isOdd.toggle() }
      }
      start = end
    }
    return isOdd
  }

  private func vertex(_ index: Int) -> Vector {
    let place = index < self.corners.count ? index : 0
    return self.unpacked?[place] ?? self.corners[place].normal
  }

  private func point(_ index: Int, on plane: TangentPlane) -> PlanePoint? { plane.project(self.vertex(index)) }

  /// The point of the edge that is nearest to the place; both are unit vectors.
  package func nearestOfEdge(to normal: Vector) -> Vector {
    var search = NearestOfEdge(to: normal)
    // The run with the nearest middle first, so that most others can be skipped.
    let runs = self.runs.runs
    let first = runs.indices.min { left, right in
      (normal - runs[left].middle).squaredLength < (normal - runs[right].middle).squaredLength
    }
    guard let first else { return normal }
    self.compare(at: runs[first], &search)
    for (index, run) in runs.enumerated() where index != first {
      let distance = (normal - run.middle).length - run.radius
      if distance <= 0 || distance * distance < search.least { self.compare(at: run, &search) }
    }
    return search.nearest
  }

  private func compare(at run: EdgeRuns.Run, _ search: inout NearestOfEdge) {
    var start = self.vertex(run.edges.lowerBound)
    search.compare(at: start)
    for index in run.edges {
      let end = self.vertex(index + 1)
      search.compare(from: start, to: end)
      start = end
    }
  }

  /// The angle to the edge, in radians: positive inside, negative outside.
  func depth(of normal: Vector) -> Double {
    // For the small angles that matter, the chord equals the angle.
    let chord = (normal - self.nearestOfEdge(to: normal)).length
    return self.contains(normal) ? chord : -chord
  }
}

/// The nearest point so far, by squared chords: precise for near points, and ordered as the angles are.
private struct NearestOfEdge {
  private let normal: Vector
  private(set) var nearest: Vector
  private(set) var least = Double.infinity

  init(to normal: Vector) {
    self.normal = normal
    self.nearest = normal
  }

  mutating func compare(at vertex: Vector) {
    let toVertex = (self.normal - vertex).squaredLength
    guard toVertex < self.least else { return }
    self.least = toVertex
    self.nearest = vertex
  }

  mutating func compare(from start: Vector, to end: Vector) {
    self.compare(at: end)
    // The normal of the edge's plane, as long as the edge. The difference keeps the precision of a short edge.
    let across = start.cross(end - start)
    let area = across.squaredLength
    let offset = self.normal.dot(across)
    guard offset * offset < self.least * area, self.normal.dot(across.cross(start)) > 0,
      self.normal.dot(end.cross(across)) > 0, let foot = (self.normal - across * (offset / area)).normalized
    else { return }
    let toFoot = (self.normal - foot).squaredLength
    guard toFoot < self.least else { return }
    self.least = toFoot
    self.nearest = foot
  }
}

extension SphericalPolygon {
  /// Metres: (2 a + b) / 3 of WGS 84.
  static let earthRadius = 6_371_008.8

  /// The most computations of depth in the search for the deepest place, so that a comb of a thousand vertices does not
  /// take long.
  private static let mostComputations = 400

  /// The greatest distance of an inside place from the edge, in metres. It is at most 2 % too small, or up to a half
  /// for a shape like a comb.
  ///
  /// It corresponds to a circle's radius. The root of the area would not: that of a road is large, though nowhere on it
  /// is a fix of 20 m certain to be inside.
  package var inradius: Double {
    let polygon = self.ready
    let points = polygon.flattened
    guard let first = points.first else { return 0 }
    var low = first
    var high = first
    for point in points {
      low = PlanePoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = PlanePoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    var search = DepthSearch(polygon: polygon)
    search.add(
      PlanePoint(x: (low.x + high.x) / 2, y: (low.y + high.y) / 2),
      half: PlanePoint(x: (high.x - low.x) / 2, y: (high.y - low.y) / 2))
    while search.computed < Self.mostComputations, search.refine() {}
    return search.deepest * Self.earthRadius
  }
}

/// Searches for the deepest place, in the most promising rectangle first: nothing in a rectangle of the plane is deeper
/// than its middle by more than half its diagonal, because angles are smaller than their images on the plane.
private struct DepthSearch {
  private struct Rectangle {
    let middle: PlanePoint
    /// From the middle to the sides.
    let half: PlanePoint
    /// No place in it is deeper.
    let bound: Double
  }

  /// The factor by which the result may be too small.
  private static let tolerance = 1.02

  private let polygon: SphericalPolygon
  private let plane: TangentPlane
  private var rectangles: [Rectangle] = []
  private(set) var deepest = 0.0
  private(set) var computed = 0

  init(polygon: SphericalPolygon) {
    self.polygon = polygon
    self.plane = polygon.plane
  }

  mutating func add(_ middle: PlanePoint, half: PlanePoint) {
    let depth = self.polygon.depth(of: self.plane.lift(middle))
    self.computed += 1
    self.deepest = max(self.deepest, depth)
    let bound = depth + (half.x * half.x + half.y * half.y).squareRoot()
    self.rectangles.append(Rectangle(middle: middle, half: half, bound: bound))
  }

  /// Halves the most promising rectangle across its longer side; returns false if none can improve the result.
  mutating func refine() -> Bool {
    let best = self.rectangles.indices.max { self.rectangles[$0].bound < self.rectangles[$1].bound }
    guard let best, self.rectangles[best].bound > self.deepest * Self.tolerance else { return false }
    let whole = self.rectangles[best]
    self.rectangles.swapAt(best, self.rectangles.count - 1)
    self.rectangles.removeLast()
    let isWide = whole.half.x > whole.half.y
    let half = PlanePoint(x: isWide ? whole.half.x / 2 : whole.half.x, y: isWide ? whole.half.y : whole.half.y / 2)
    let step = PlanePoint(x: isWide ? half.x : 0, y: isWide ? 0 : half.y)
    self.add(PlanePoint(x: whole.middle.x - step.x, y: whole.middle.y - step.y), half: half)
    self.add(PlanePoint(x: whole.middle.x + step.x, y: whole.middle.y + step.y), half: half)
    return true
  }
}

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
