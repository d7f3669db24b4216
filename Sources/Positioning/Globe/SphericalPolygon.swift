/// A polygon on the sphere of normals: its edges are great circles, its inside is the smaller side.
///
/// Poles and the antimeridian need no care here. Distances are left to whoever knows the ellipsoid: the polygon names the
/// nearest point of its edge.
package struct SphericalPolygon: Hashable, Sendable {
  /// Unit vectors.
  package let vertices: [Vector]
  /// Holds the vertices and so, being smaller than half of the globe, all of the inside.
  package let cap: Cap
  let plane: TangentPlane

  /// `nil` for a polygon that spans half of the globe. Whether it is sound otherwise is for `Region.checked` to say.
  package init?(_ coordinates: [Coordinate]) {
    let vertices = coordinates.map(\.normal)
    guard !vertices.isEmpty, let cap = Cap(holding: vertices) else { return nil }
    self.vertices = vertices
    self.cap = cap
    self.plane = TangentPlane(at: cap.center)
  }

  /// The vertices on the plane that touches the cap's centre.
  var flattened: [PlanePoint] { self.vertices.compactMap { self.plane.project($0) } }

  /// Whether the place lies inside. Of the edge itself either may be said.
  package func contains(_ normal: Vector) -> Bool {
    guard self.cap.holds(normal), let point = self.plane.project(normal), let last = self.vertices.last,
      var start = self.plane.project(last)
    else { return false }
    var isInside = false
    for vertex in self.vertices {
      guard let end = self.plane.project(vertex) else { return false }
      // Does a line from the point to the right cross the edge?
      if (start.y > point.y) != (end.y > point.y) {
        let x = start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x)
        if point.x < x { isInside.toggle() }
      }
      start = end
    }
    return isInside
  }

  /// The point of the edge that is nearest to the place; both are unit vectors.
  package func nearestOfEdge(to normal: Vector) -> Vector {
    guard var start = self.vertices.last else { return normal }
    var nearest = start
    // Squares of chords: exact for what is near, and in the order of the angles.
    var least = Double.infinity
    for end in self.vertices {
      let toVertex = (normal - end).squaredLength
      if toVertex < least {
        least = toVertex
        nearest = end
      }
      // The edge's own plane, its normal as long as the edge. The difference keeps the digits of a short edge.
      let across = start.cross(end - start)
      let area = across.squaredLength
      let offset = normal.dot(across)
      if offset * offset < least * area, normal.dot(across.cross(start)) > 0, normal.dot(end.cross(across)) > 0,
        let foot = (normal - across * (offset / area)).normalized
      {
        let toFoot = (normal - foot).squaredLength
        if toFoot < least {
          least = toFoot
          nearest = foot
        }
      }
      start = end
    }
    return nearest
  }

  /// The angle to the edge, in radians: positive inside, negative outside.
  func depth(of normal: Vector) -> Double {
    // For the small angles that decide, the chord is the angle.
    let chord = (normal - self.nearestOfEdge(to: normal)).length
    return self.contains(normal) ? chord : -chord
  }
}
