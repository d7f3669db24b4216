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

  /// The same with all vectors computed, for a search that needs each corner hundreds of times.
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
