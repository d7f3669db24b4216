import Testing

@testable import Positioning

/// Results for whole runs of edges, compared with checking every edge.
@Suite struct EdgeRunsTests {
  /// Shapes with many corners, some with an edge that comes near to itself again and again.
  private static func shapes(_ random: inout SeededRandom) -> [[Coordinate]] {
    let latitude = Double.random(in: -80...80, using: &random)
    let size = Double.random(in: 0.0001...3, using: &random)
    func corner(_ north: Double, _ east: Double) -> Coordinate {
      let longitude = (179.9 + east * size).remainder(dividingBy: 360)
      return Coordinate(latitude: latitude + north * size, longitude: longitude)
    }
    var comb: [Coordinate] = (0..<300).map { (number: Int) -> Coordinate in
      let isTip = number % 4 == 1 || number % 4 == 2
      return corner(isTip ? 1 : 0.05, Double(number) / 300)
    }
    comb += [corner(0, 1), corner(0, 0)]
    let star = (0..<200).map { (number: Int) -> Coordinate in
      let radius = Double.random(in: 0.3...1, using: &random)
      let share = Double(number) / 200
      // Around a square's edge, which needs no sine.
      let side = Int(share * 4)
      let along = (share * 4 - Double(side)) * 2 - 1
      let places: [(Double, Double)] = [(-1, along), (along, 1), (1, -along), (-along, -1)]
      let place = places[side % 4]
      return corner(place.0 * radius, place.1 * radius)
    }
    return [
      comb, star, (0..<7).map { (number: Int) -> Coordinate in corner(Double(number % 3) * 0.1, Double(number) * 0.1) },
    ]
  }

  @Test(
    "The nearest point and the inside are the same as by checking every edge",
    arguments: 1...20 as ClosedRange<UInt64>)
  func naive(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for shape in Self.shapes(&random) {
      let polygon = try #require(SphericalPolygon(shape))
      for _ in 0..<60 {
        let corner = shape[Int.random(in: 0..<shape.count, using: &random)]
        let reach = Double.random(in: 0...2, using: &random) * polygon.cap.angle * 57
        let place = Coordinate(
          latitude: min(max(corner.latitude + Double.random(in: -1...1, using: &random) * reach, -90), 90),
          longitude: corner.longitude + Double.random(in: -1...1, using: &random) * reach
        ).normal
        let least = (place - polygon.nearestOfEdge(to: place)).squaredLength
        let expected = Self.leastDistance(polygon, place)
        #expect(abs(least - expected) <= 1e-12 * max(expected, 1e-12), "seed \(seed): \(least), not \(expected)")
        #expect(polygon.contains(place) == Self.contains(polygon, place), "seed \(seed)")
      }
    }
  }

  /// The square of the least chord to any edge.
  private static func leastDistance(_ polygon: SphericalPolygon, _ place: Vector) -> Double {
    var least = Double.infinity
    for (index, start) in polygon.vertices.enumerated() {
      let end = polygon.vertices[(index + 1) % polygon.vertices.count]
      least = min(least, (place - end).squaredLength)
      let across = start.cross(end - start)
      guard place.dot(across.cross(start)) > 0, place.dot(end.cross(across)) > 0,
        let foot = (place - across * (place.dot(across) / across.squaredLength)).normalized
      else { continue }
      least = min(least, (place - foot).squaredLength)
    }
    return least
  }

  private static func contains(_ polygon: SphericalPolygon, _ place: Vector) -> Bool {
    guard polygon.cap.holds(place), let point = polygon.plane.project(place) else { return false }
    let points = polygon.flattened
    var isInside = false
    for (index, start) in points.enumerated() {
      let end = points[(index + 1) % points.count]
      guard (start.y > point.y) != (end.y > point.y) else { continue }
      if point.x < start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x) { isInside.toggle() }
    }
    return isInside
  }
}
