/// Checks that a list of vertices is a polygon with an inside.
struct PolygonCheck {
  /// Without a last one that closes the polygon, and without neighbours at the same place.
  private(set) var vertices: [Coordinate] = []
  /// The index of each vertex in the given list.
  private var places: [Int] = []

  /// Vertices closer than this are one vertex: 6 mm, in radians.
  private static let least = 1e-9
  /// Radians: a polygon that is nowhere wider has no inside.
  private static let leastWidth = 2e-9

  init(_ given: [Coordinate]) throws(InvalidRegion) {
    for (place, vertex) in given.enumerated() {
      try Region.check(vertex.latitude, within: 90, "polygon[\(place)][0]")
      try Region.check(vertex.longitude, within: 180, "polygon[\(place)][1]")
      if let last = self.vertices.last, Self.areOne(last, vertex) { continue }
      self.vertices.append(vertex)
      self.places.append(place)
    }
    while let first = self.vertices.first, let last = self.vertices.last, self.vertices.count > 1,
      Self.areOne(first, last)
    {
      self.vertices.removeLast()
      self.places.removeLast()
    }
    guard Region.vertexCounts.contains(self.vertices.count) else {
      throw InvalidRegion(parameter: "polygon", expected: "3 to 1000 different vertices, not \(self.vertices.count)")
    }
    guard let polygon = SphericalPolygon(self.vertices) else {
      throw InvalidRegion(parameter: "polygon", expected: "smaller than half of the globe")
    }
    let points = polygon.flattened
    guard Self.hasWidth(points) else {
      throw InvalidRegion(parameter: "polygon", expected: "more than a line: its area is 0")
    }
    if let (one, other) = SelfIntersection.first(in: points) {
      throw InvalidRegion(
        parameter: "polygon",
        expected: "a line that does not meet itself: its edges from polygon[\(self.places[one])] and from "
          + "polygon[\(self.places[other])] do")
    }
  }

  /// Whether computations with the polygon work, whatever its shape.
  static func checkUsable(_ vertices: [Coordinate], cap: Cap?) throws(InvalidRegion) {
    for (place, vertex) in vertices.enumerated() {
      try Region.check(vertex.latitude, within: 90, "polygon[\(place)][0]")
      try Region.check(vertex.longitude, within: 180, "polygon[\(place)][1]")
    }
    guard Region.vertexCounts.contains(vertices.count) else {
      throw InvalidRegion(parameter: "polygon", expected: "3 to 1000 different vertices, not \(vertices.count)")
    }
    // A polygon within narrow bounds needs no computation.
    let latitudes = vertices.map(\.latitude)
    let longitudes = vertices.map(\.longitude)
    let height = (latitudes.max() ?? 0) - (latitudes.min() ?? 0)
    let width = (longitudes.max() ?? 0) - (longitudes.min() ?? 0)
    guard height + width < 60 || SphericalPolygon(vertices, cap: cap) != nil else {
      throw InvalidRegion(parameter: "polygon", expected: "smaller than half of the globe")
    }
  }

  private static func areOne(_ one: Coordinate, _ other: Coordinate) -> Bool {
    (one.normal - other.normal).squaredLength < self.least * self.least
  }

  /// Whether some vertex lies off the line through the first vertex and the one farthest from it.
  private static func hasWidth(_ points: [PlanePoint]) -> Bool {
    guard let first = points.first,
      let far = points.max(by: { first.squaredDistance(to: $0) < first.squaredDistance(to: $1) })
    else { return false }
    let length = first.squaredDistance(to: far).squareRoot()
    return points.contains { abs(first.turn(far, $0)) > self.leastWidth * length }
  }
}
