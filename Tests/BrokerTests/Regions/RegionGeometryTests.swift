import Geodesy
import Positioning
import Testing

@testable import Broker

/// The depth of a place in a region, anywhere on the globe.
@Suite struct RegionGeometryTests {
  @Test("The depth in a circle is its radius less the distance", arguments: [0.0, 52, -90, 90])
  func circleDepth(latitude: Double) {
    let center = Coordinate(latitude: latitude, longitude: 180)
    let geometry = RegionGeometry(.circle(center: center, radius: 1000))
    #expect(abs(geometry.depth(of: Place(center)) - 1000) < 0.001)
    let inner = latitude > 0 ? latitude - 0.005 : latitude + 0.005
    let place = Coordinate(latitude: inner, longitude: -180)
    #expect(abs(geometry.depth(of: Place(place)) - (1000 - Geodesy.distance(from: center, to: place))) < 0.001)
  }

  @Test(
    "A square of 200 m is 100 m deep, also at the antimeridian and at the poles",
    arguments: [(0.0, 0.0), (0, 180), (51, -180), (-77, 179.9999), (89.9999, 10), (90, 0), (-90, 33)])
  func squareDepth(latitude: Double, longitude: Double) {
    let middle = Coordinate(latitude: latitude, longitude: longitude)
    let corners = [45.0, 135, 225, 315].map { destination(from: middle, bearing: $0, distance: 100 * 2.squareRoot()) }
    let geometry = RegionGeometry(.polygon(corners))
    #expect(abs(geometry.depth(of: Place(middle)) - 100) < 0.01)
    #expect(abs(geometry.reach - 100) < 2)
    for bearing in [0.0, 90, 180, 270] {
      for distance in [50.0, 99, 101, 180, 5000] {
        let place = destination(from: middle, bearing: bearing, distance: distance)
        #expect(abs(geometry.depth(of: Place(place)) - (100 - distance)) < 0.01 + distance * 1e-5, "\(place)")
      }
    }
  }

  @Test("No place of a region is nearer than its bounding ball", arguments: 1...20 as ClosedRange<UInt64>)
  func ball(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<20 {
      let geometry = RegionGeometry(randomShape(&random))
      for _ in 0..<10 {
        let place = Place(randomCoordinate(&random))
        #expect(geometry.leastDistance(to: place) <= max(-geometry.depth(of: place), 0) * 1.006 + 0.001)
      }
    }
  }

  @Test("A path through a region is found however short its deep part, and whatever the shape")
  func passages() throws {
    let fence = RegionGeometry(circle().shape)
    // Past the middle at 34 m: 16 m deep.
    var search = PassageSearch(
      fence, from: try observation(fix(0, -1000, 34, accuracy95: 12)),
      to: try observation(fix(10, 1000, 34, accuracy95: 12)))
    let deep = search.deepShare()
    let share = try #require(deep)
    let passage = search.passage(around: share)
    // In and out 36.66 m before and behind the middle, at 200 m/s.
    #expect(abs(passage.lowerBound.sinceBoot.seconds - (5 - 36.66 / 200)) < 0.01)
    #expect(abs(passage.upperBound.sinceBoot.seconds - (5 + 36.66 / 200)) < 0.01)
    // 4 m deep is no deeper than the error of a fix of 12 m explains.
    var graze = PassageSearch(fence, from: try observation(fix(0, -1000, 46)), to: try observation(fix(10, 1000, 46)))
    let grazeDeep = graze.deepShare()
    #expect(grazeDeep == nil)
    // The larger of the two errors counts.
    var vague = PassageSearch(
      fence, from: try observation(fix(0, -1000, 34, accuracy95: 50)), to: try observation(fix(10, 1000, 34)))
    let vagueDeep = vague.deepShare()
    #expect(vagueDeep == nil)
    // The space between the arms of a U is outside.
    let horseshoe = RegionGeometry(
      polygon([(0, 0), (300, 0), (300, 300), (200, 300), (200, 100), (100, 100), (100, 300), (0, 300)]).shape)
    var between = PassageSearch(
      horseshoe, from: try observation(fix(0, 150, 1000)), to: try observation(fix(10, 150, 120)))
    let betweenDeep = between.deepShare()
    #expect(betweenDeep == nil)
    var arm = PassageSearch(horseshoe, from: try observation(fix(0, 50, 1000)), to: try observation(fix(10, 50, -500)))
    let armDeep = arm.deepShare()
    #expect(armDeep != nil)
  }

  private func observation(_ fix: Fix) throws -> RegionObservation { try #require(RegionObservation(fix, speed: 0)) }
}

/// The place at this distance and in this direction, exact for short ways.
func destination(from start: Coordinate, bearing: Double, distance: Double) -> Coordinate {
  let normal = start.normal
  // At a pole any direction may be called east.
  let axis = abs(normal.z) < 0.999_999_999_999 ? Vector(x: 0, y: 0, z: 1) : Vector(x: 0, y: 1, z: 0)
  let east = axis.cross(normal) * (1 / axis.cross(normal).length)
  let north = normal.cross(east)
  // The ellipsoid's radii of curvature: a metre to the north is not quite the angle that a metre to the east is.
  let squeeze = 1 - 0.006_694_379_990_14 * normal.z * normal.z
  let radiusEast = 6_378_137 / squeeze.squareRoot()
  let radiusNorth = 6_378_137 * (1 - 0.006_694_379_990_14) / (squeeze * squeeze.squareRoot())
  let direction = Coordinate(latitude: 0, longitude: bearing).normal
  let way = north * (direction.x / radiusNorth) + east * (direction.y / radiusEast)
  func place(_ distance: Double) -> Coordinate { Coordinate(normal: normal + way * distance) }
  var drawn = distance
  for _ in 0..<4 { drawn *= distance / Geodesy.distance(from: start, to: place(drawn)) }
  return place(drawn)
}

/// Anywhere on the globe, with the poles and the antimeridian more often than at random.
func randomCoordinate(_ random: inout SeededRandom) -> Coordinate {
  let latitude =
    random.oneIn(8) ? [90.0, -90, 0].randomElement(using: &random) ?? 0 : .random(in: -90...90, using: &random)
  let longitude =
    random.oneIn(8) ? [180.0, -180, 0].randomElement(using: &random) ?? 0 : .random(in: -180...180, using: &random)
  return Coordinate(latitude: latitude, longitude: longitude)
}

/// A circle or a star of any size from 5 m to 1000 km.
func randomShape(_ random: inout SeededRandom) -> RegionShape {
  let center = randomCoordinate(&random)
  var size = 5.0
  while size < 500_000, !random.oneIn(8) { size *= 2 }
  return randomShape(around: center, size: size, &random)
}

/// A circle or a star of this size.
func randomShape(around center: Coordinate, size: Double, _ random: inout SeededRandom) -> RegionShape {
  if random.oneIn(2) { return .circle(center: center, radius: size) }
  let count = Int.random(in: 3...8, using: &random)
  return .polygon(
    (0..<count).map { corner in
      destination(
        from: center, bearing: 360 * Double(corner) / Double(count),
        distance: size * .random(in: 0.4...1, using: &random))
    })
}

/// The inradius of a polygon is expensive to compute, so it is stored.
@Suite struct RegionReachTests {
  @Test("Stored values are used if they are valid, else computed again")
  func kept() {
    let shape = polygon([(0, 0), (300, 0), (300, 300), (0, 300)]).shape
    let found = RegionGeometry(shape).reach
    #expect(abs(found - 150) < 4)
    #expect(RegionGeometry(shape, reach: 123).reach == 123)
    for damaged in [-1, 1e9, .nan, .infinity] as [Double] {
      #expect(RegionGeometry(shape, reach: damaged).reach == found)
    }
  }

  @Test("The bounding cap of a polygon is stored too, and computed again if it does not hold the polygon")
  func cap() throws {
    let shape = polygon([(0, 0), (300, 0), (300, 300), (0, 300)]).shape
    let found = try #require(RegionGeometry(shape).cap)
    let wider = Cap(center: found.center, angle: 2 * found.angle)
    #expect(RegionGeometry(shape, cap: wider).cap == wider)
    let elsewhere = Vector(x: -found.center.x, y: found.center.y, z: found.center.z)
    for damaged in [
      Cap(center: found.center, angle: found.angle / 2), Cap(center: elsewhere, angle: found.angle),
      Cap(center: found.center, angle: .nan), Cap(center: found.center, angle: 3),
      Cap(center: found.center * 2, angle: 1), Cap(center: Vector(x: .nan, y: 0, z: 1), angle: 1),
    ] {
      #expect(RegionGeometry(shape, cap: damaged).cap == found, "\(damaged)")
    }
    #expect(RegionGeometry(circle("a").shape).cap == nil)
  }
}
