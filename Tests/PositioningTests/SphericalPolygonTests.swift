import Testing

@testable import Positioning

/// Polygons anywhere on the globe.
@Suite struct SphericalPolygonTests {
  /// Metres for each radian.
  private static let radius = SphericalPolygon.earthRadius

  struct Shape: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var vertices: [Coordinate]
    var inside: [Coordinate]
    var outside: [Coordinate]
  }

  static let shapes = [
    Shape(
      testDescription: "a square of 2 degrees on the equator",
      vertices: [place(-1, -1), place(-1, 1), place(1, 1), place(1, -1)],
      inside: [place(0, 0), place(0.99, 0.99), place(-0.99, -0.99)],
      outside: [place(1.01, 0), place(0, -1.01), place(0, 179), place(0, 180), place(90, 0), place(-90, 0)]),
    Shape(
      testDescription: "a square across the antimeridian",
      vertices: [place(-1, 179), place(-1, -179), place(1, -179), place(1, 179)],
      inside: [place(0, 180), place(0, -180), place(0.9, 179.1), place(-0.9, -179.1)],
      outside: [place(0, 178.9), place(0, -178.9), place(0, 0), place(1.1, 180)]),
    Shape(
      testDescription: "a square around the north pole",
      vertices: [place(89, 0), place(89, 90), place(89, 180), place(89, -90)],
      inside: [place(90, 0), place(90, 123), place(89.01, 0.1), place(89.5, -135)],
      // Between two vertices the edge, a great circle, is nearer to the pole than they are.
      outside: [place(89.1, 45), place(88.9, 0), place(-90, 0), place(0, 0)]),
    Shape(
      testDescription: "a triangle with a corner at the south pole",
      vertices: [place(-90, 0), place(-80, 10), place(-80, 50)],
      inside: [place(-85, 30), place(-89.99, 30), place(-80.7, 30)],
      outside: [place(-85, 5), place(-85, 55), place(-89.99, -150), place(80, 30)]),
    Shape(
      testDescription: "most of the northern half",
      vertices: [place(10, 0), place(10, 90), place(10, 180), place(10, -90)],
      inside: [place(90, 0), place(30, 45), place(10.1, 0)], outside: [place(9.9, 0), place(5, 45), place(-90, 0)]),
    Shape(
      testDescription: "a U, open to the north",
      vertices: [
        place(0, 0), place(0, 3), place(3, 3), place(3, 2), place(1, 2), place(1, 1), place(3, 1), place(3, 0),
      ],
      inside: [place(0.5, 1.5), place(2.9, 0.5), place(2.9, 2.5)],
      outside: [place(2, 1.5), place(2.9, 1.5), place(3.1, 0.5)]),
  ]

  @Test("A point is inside on any part of the globe, and for both orientations of the polygon", arguments: shapes)
  func contains(shape: Shape) throws {
    for vertices in [shape.vertices, shape.vertices.reversed()] {
      let polygon = try #require(SphericalPolygon(vertices))
      for place in shape.inside { #expect(polygon.contains(place.normal), "\(place) is inside") }
      for place in shape.outside { #expect(!polygon.contains(place.normal), "\(place) is outside") }
    }
  }

  @Test("The nearest point of the edge agrees with the nearest of many points along it", arguments: shapes)
  func nearest(shape: Shape) throws {
    let polygon = try #require(SphericalPolygon(shape.vertices))
    for normal in (shape.inside + shape.outside).map(\.normal) {
      let found = (polygon.nearestOfEdge(to: normal) - normal).length
      var least = Double.infinity
      for (start, end) in zip(polygon.vertices, polygon.vertices.dropFirst() + polygon.vertices.prefix(1)) {
        for step in 0...400 {
          let share = Double(step) / 400
          let point = try #require((start * (1 - share) + end * share).normalized)
          least = min(least, (point - normal).length)
        }
      }
      // The points along the edge are no nearer, and hardly farther than by half of their distance.
      #expect(found <= least + 1e-12)
      #expect(found >= least - 0.003)
    }
  }

  @Test("The depth of a small polygon is exact to a tenth of a millimetre", arguments: [0.0, 45, -67, 89.9])
  func small(latitude: Double) throws {
    // A square of 200 m around a place, laid out on the plane that touches it.
    let plane = TangentPlane(at: place(latitude, 179.999).normal)
    let half = 100 / Self.radius
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    let polygon = try #require(
      SphericalPolygon(corners.map { Coordinate(normal: plane.lift(PlanePoint(x: $0.0, y: $0.1))) }))
    for (x, y, depth) in [(0.0, 0.0, 100.0), (60, 0, 40), (60, 70, 30), (0, -130, -30), (130, 140, -50)] {
      let normal = plane.lift(PlanePoint(x: x / Self.radius, y: y / Self.radius))
      #expect(abs(polygon.depth(of: normal) * Self.radius - depth) < 0.0001)
    }
  }

  @Test("The deepest place is found within 2 %")
  func inradius() throws {
    // A degree of latitude; a square of half a degree has an inradius of a quarter.
    let degree = Self.radius * .pi / 180
    let known: [([Coordinate], Double)] = [
      ([place(0, 0), place(0, 0.5), place(0.5, 0.5), place(0.5, 0)], 0.25),
      ([place(0, 0), place(0, 10), place(0.1, 10), place(0.1, 0)], 0.05),
      // A right triangle: (a + b - c) / 2.
      ([place(0, 0), place(0, 0.3), place(0.4, 0)], 0.1),
      // The bottom of the U is a square of 1 degree with two corners more: its deepest place is in a corner of it.
      (Self.shapes[5].vertices, 0.587),
    ]
    for (vertices, expected) in known {
      let found = try #require(SphericalPolygon(vertices)).inradius / degree
      #expect(found <= expected * 1.005 && found >= expected * 0.975, "\(found), not \(expected)")
    }
  }

  @Test("The depth of a comb of a thousand vertices is never overestimated")
  func comb() throws {
    // Teeth of 1 degree, each 0.01 degrees wide, on a back of 0.02.
    var vertices = [place(-0.02, 249 * 0.02 - 0.01), place(-0.02, 0)]
    for tooth in 0..<249 {
      let west = Double(tooth) * 0.02
      vertices += [place(0, west), place(1, west), place(1, west + 0.01), place(0, west + 0.01)]
    }
    let polygon = try #require(SphericalPolygon(vertices))
    let depth = polygon.inradius / (Self.radius * .pi / 180)
    #expect(depth > 0.004 && depth < 0.0135, "\(depth)")
  }

  @Test(
    "Polygons that intersect themselves are found like by comparing all pairs", arguments: 1...40 as ClosedRange<Int>)
  func intersections(seed: Int) {
    // A walk by a linear congruential generator: some of these polygons cross themselves, some do not.
    var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24)
    }
    let count = 3 + seed % 9
    let points = (0..<count).map { index in
      let direction = place(0, 360 * Double(index) / Double(count)).normal
      let radius = 0.2 + next()
      // The odd ones are stars, which never cross themselves; the even ones are distorted until most do.
      let shake = seed % 2 == 0 ? next() - 0.5 : 0
      return PlanePoint(x: direction.x * radius + shake, y: direction.y * radius - shake)
    }
    var pairs: [(Int, Int)] = []
    for one in points.indices {
      for other in points.indices where other > one + 1 && !(one == 0 && other == count - 1) {
        let (a, b) = (points[one], points[one + 1])
        let (c, d) = (points[other], points[(other + 1) % count])
        if (a.turn(b, c) > 0) != (a.turn(b, d) > 0), (c.turn(d, a) > 0) != (c.turn(d, b) > 0) {
          pairs.append((one, other))
        }
      }
    }
    let found = SelfIntersection.first(in: points)
    #expect((found == nil) == pairs.isEmpty)
    if let found { #expect(pairs.contains { $0 == found }) }
    if seed % 2 == 1 { #expect(found == nil) }
  }
}
