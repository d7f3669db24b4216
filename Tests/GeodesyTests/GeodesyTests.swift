import Positioning
import Testing

@testable import Geodesy

@Suite("Distances and directions on the ellipsoid")
struct GeodesyTests {
  /// Known lines: reference values of Vincenty's method on WGS 84.
  struct Line: Sendable {
    var from: Coordinate
    var to: Coordinate
    var distance: Double
    var bearing: Double
  }

  static let lines = [
    Line(from: place(0, 0), to: place(0, 1), distance: 111_319.49, bearing: 90),
    Line(from: place(0, 0), to: place(1, 0), distance: 110_574.39, bearing: 0),
    Line(from: place(0, 1), to: place(0, 0), distance: 111_319.49, bearing: 270),
    Line(from: place(0, 179.5), to: place(0, -179.5), distance: 111_319.49, bearing: 90),
    Line(from: place(0.5, 10), to: place(0, 10), distance: 55_287.15, bearing: 180),
  ]

  @Test("A known line has its length and direction", arguments: lines)
  func knownLine(line: Line) throws {
    #expect(abs(Geodesy.distance(from: line.from, to: line.to) - line.distance) < 0.02)
    let bearing = try #require(Geodesy.bearing(from: line.from, to: line.to))
    #expect(abs(bearing - line.bearing) < 0.001)
  }

  @Test(
    "A point has distance 0 from itself, and no direction",
    arguments: [place(0, 0), place(90, 12), place(-37, 145)])
  func samePoint(point: Coordinate) {
    #expect(Geodesy.distance(from: point, to: point) == 0)
    #expect(Geodesy.bearing(from: point, to: point) == nil)
  }

  @Test(
    "Points nearly opposite each other have the great circle's distance",
    arguments: [(place(0, 0), place(0, 180)), (place(0, 0), place(0.5, 179.5)), (place(45, 10), place(-45, -170))])
  func antipodes(start: Coordinate, end: Coordinate) throws {
    let distance = Geodesy.distance(from: start, to: end)
    // Half of the ellipsoid's meridian is 20 003 931 m; the sphere's half circle is 20 015 114 m.
    #expect(distance > 19_900_000 && distance < 20_020_000)
    #expect(Geodesy.bearing(from: start, to: end).map { (0..<360).contains($0) } ?? true)
  }

  @Test("Every finite pair has a finite distance that is the same both ways, and a direction within the circle")
  func everyPair() throws {
    let latitudes: [Double] = [-90, -89.999, -45, -0.001, 0, 0.001, 33.3, 60, 89.999, 90]
    let longitudes: [Double] = [-180, -179.9999, -90, 0, 0.5, 120, 179.5, 179.9999, 180]
    let points = latitudes.flatMap { latitude in longitudes.map { place(latitude, $0) } }
    for start in points {
      for end in points {
        let there = Geodesy.distance(from: start, to: end)
        #expect(there.isFinite && there >= 0 && there < 20_038_000)
        let back = Geodesy.distance(from: end, to: start)
        #expect(abs(there - back) <= 0.006 * there)
        if let bearing = Geodesy.bearing(from: start, to: end) {
          #expect((0..<360).contains(bearing))
        }
      }
    }
  }

  @Test(
    "Without libgps ways of 50 km are exact to a centimetre, those of 1000 km to 15 m, and directions to 0.3 degrees")
  func withoutLibgps() throws {
    for latitude in [-89.0, -45, 0, 30, 60, 80] {
      for (east, north) in [(1.0, 0.0), (0, 1), (0.7, 0.7), (-0.6, 0.8)] {
        for (reach, error) in [(0.5, 0.001), (50, 0.01), (1000, 15)] {
          let start = place(latitude, 11.5)
          let end = Geodesy.moved(start, east: east * reach * 1000, north: north * reach * 1000)
          let distance = Geodesy.distance(from: start, to: end)
          #expect(abs(Geodesy.arc(from: start, to: end) - distance) < error, "\(latitude) \(east) \(north) \(reach)")
          let bearing = try #require(Geodesy.bearing(from: start, to: end))
          let circle = try #require(GreatCircle(from: start, to: end).bearing)
          #expect(abs((circle - bearing).remainder(dividingBy: 360)) < 0.3, "\(latitude) \(east) \(north) \(reach)")
        }
      }
    }
  }

  @Test("The great circle agrees with the ellipsoid within 0.6 %", arguments: lines)
  func greatCircle(line: Line) throws {
    let circle = GreatCircle(from: line.from, to: line.to)
    #expect(abs(circle.distance - line.distance) < 0.006 * line.distance)
    let bearing = try #require(circle.bearing)
    #expect(abs(bearing - line.bearing) < 0.001)
  }
}

private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: latitude, longitude: longitude)
}
