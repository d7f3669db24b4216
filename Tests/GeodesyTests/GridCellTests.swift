import Positioning
import Testing

@testable import Geodesy

@Suite("The grid of 2 km")
struct GridCellTests {
  /// Uniform over the globe, and as many near the poles, the equator and the antimeridian.
  private static func places(_ count: Int, _ random: inout SeededRandom) -> [Coordinate] {
    (0..<count).map { index in
      let longitude = Double.random(in: -180...180, using: &random)
      let near = Double.random(in: 0...0.1, using: &random)
      switch index % 6 {
      case 0: return Coordinate(latitude: 90 - near, longitude: longitude)
      case 1: return Coordinate(latitude: near - 90, longitude: longitude)
      case 2: return Coordinate(latitude: near - 0.05, longitude: longitude)
      case 3: return Coordinate(latitude: longitude / 2, longitude: 180 - near)
      case 4: return Coordinate(latitude: longitude / 2, longitude: near - 180)
      case _: return Coordinate(latitude: Double.random(in: -90...90, using: &random), longitude: longitude)
      }
    }
  }

  @Test("All places of a cell have one point, which is in the cell")
  func onePoint() {
    var random = SeededRandom(seed: 1)
    for place in Self.places(6000, &random) {
      let cell = GridCell(holding: place)
      #expect(GridCell(holding: cell.middle) == cell, "\(place)")
      #expect((-180..<180).contains(cell.middle.longitude) && abs(cell.middle.latitude) <= 90, "\(cell)")
      for _ in 0..<10 {
        let latitude = cell.middle.latitude + cell.height * Double.random(in: -0.4999...0.4999, using: &random)
        let longitude = cell.middle.longitude + cell.width * Double.random(in: -0.4999...0.4999, using: &random)
        let other = Coordinate(latitude: min(max(latitude, -90), 90), longitude: longitude)
        #expect(GridCell(holding: other) == cell, "\(other) is not with \(place)")
      }
    }
  }

  @Test("No place is farther from its cell's point than half the diagonal")
  func reach() {
    var random = SeededRandom(seed: 2)
    for place in Self.places(20_000, &random) {
      let distance = Geodesy.distance(from: place, to: GridCell(holding: place).middle)
      // Beside a pole a cell is a piece of a ring, and wider at its outer edge.
      #expect(distance < (abs(place.latitude) < 89.9 ? 1520 : 1640), "\(place)")
    }
  }

  @Test("A cell is 2 km high, and 2 to 2.26 km wide")
  func size() {
    var random = SeededRandom(seed: 3)
    for place in Self.places(6000, &random) where abs(place.latitude) < 89.98 {
      let cell = GridCell(holding: place)
      let (middle, east) = (cell.middle, cell.middle.longitude + cell.width / 2)
      let width = 2 * Geodesy.distance(from: middle, to: Coordinate(latitude: middle.latitude, longitude: east))
      let south = Coordinate(latitude: middle.latitude - cell.height / 2, longitude: middle.longitude)
      let north = Coordinate(latitude: middle.latitude + cell.height / 2, longitude: middle.longitude)
      #expect((1990...2011).contains(Geodesy.distance(from: south, to: north)), "\(cell)")
      // Six of them go around a pole: the straight way is shorter than the arc.
      #expect((1999...2260).contains(width) || abs(place.latitude) > 89.9 && width > 1950, "\(cell): \(width)")
    }
  }

  @Test("Around a pole is one round cell, whatever the longitude", arguments: [90, 89.992, -89.992, -90])
  func poles(latitude: Double) {
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      let middle = GridCell(holding: Coordinate(latitude: latitude, longitude: longitude)).middle
      #expect(middle == Coordinate(latitude: latitude < 0 ? -90 : 90, longitude: 0))
    }
  }

  @Test("The antimeridian is no special place", arguments: [0.0, 21.3, 48.1, -67.7, 89.97])
  func antimeridian(latitude: Double) {
    let cell = { (longitude: Double) in GridCell(holding: Coordinate(latitude: latitude, longitude: longitude)) }
    #expect(cell(180) == cell(-180))
    // Around the whole band, in steps of a third of a cell, every cell comes once.
    let width = cell(0).width
    let count = Int((360 / width).rounded())
    let middles = (0..<3 * count).map { cell(-180 + (Double($0) + 0.5) * width / 3).middle.longitude }
    #expect(Set(middles).count == count)
    // The cell at 180, or those that meet there, reach across.
    #expect(cell(180 - width / 4) == cell(180) || cell(-180 + width / 4) == cell(180))
  }

  @Test("A way to the north crosses no edge that reveals the longitude, for hundreds of kilometres")
  func columns() {
    for longitude in [0.3, 11.575, -123.4] {
      let cells = stride(from: 48.33, to: 52.1, by: 0.009).map {
        GridCell(holding: Coordinate(latitude: $0, longitude: longitude))
      }
      #expect(Set(cells.map(\.middle.latitude)).count > 200)
      #expect(Set(cells.map(\.middle.longitude)).count == 1)
    }
    let widths = stride(from: 0, to: 60.0, by: 0.018).map { latitude in
      GridCell(holding: Coordinate(latitude: latitude, longitude: 0)).width
    }
    #expect(Set(widths).count < 10)
  }

  @Test("No number of a point is -0")
  func zero() {
    for place in [Coordinate(latitude: -0.001, longitude: -0.001), Coordinate(latitude: -0.0, longitude: -0.0)] {
      let middle = GridCell(holding: place).middle
      #expect(middle.latitude.sign == .plus && middle.longitude.sign == .plus)
    }
  }
}

@Suite("Moving a place")
struct MovingTests {
  @Test("A place is moved by the distance in the direction", arguments: [0.0, 48, -67, 89.9, 90, -90])
  func moved(latitude: Double) {
    var random = SeededRandom(seed: 4)
    for _ in 0..<200 {
      let place = Coordinate(latitude: latitude, longitude: Double.random(in: -180...180, using: &random))
      let (east, north) = (1000 * random.normal(), 1000 * random.normal())
      let moved = Geodesy.moved(place, east: east, north: north)
      let length = (east * east + north * north).squareRoot()
      #expect(abs(Geodesy.distance(from: place, to: moved) - length) < 0.008 * length + 0.01, "\(place)")
      guard latitude.magnitude < 89 else { continue }
      #expect((moved.latitude > place.latitude) == (north > 0))
      #expect((0..<180).contains((moved.longitude - place.longitude).wrappedLongitude) == (east > 0))
    }
  }

  @Test("At a pole east and north are those of the longitude")
  func pole() {
    let moved = Geodesy.moved(Coordinate(latitude: 90, longitude: 30), east: 0, north: 1000)
    #expect(abs(moved.longitude - -150) < 1e-6)
    #expect(abs(moved.latitude - 89.991) < 0.0001)
  }
}
