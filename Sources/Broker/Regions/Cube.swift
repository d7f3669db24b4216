import Positioning

/// One of the cubes into which the space around the earth is divided: the whole, its eighths, their eighths, and so on.
struct Cube: Hashable, Sendable {
  /// A leading bit, then three bits for each division: the number of the eighth.
  private let path: UInt64

  /// Half of the side of the whole, metres: more than the earth's radius.
  private static let extent = 8_388_608.0
  /// Cubes of 64 m.
  private static let finest = 18

  static let whole = Cube(path: 1)
  /// The number of depths, including 0 for the whole.
  static let depths = Cube.finest + 1

  /// The number of divisions.
  var depth: Int { (UInt64.bitWidth - 1 - self.path.leadingZeroBitCount) / 3 }

  private init(path: UInt64) { self.path = path }

  /// The smallest cube that contains the middle of a ball and is as wide as the ball; the whole for a wider one.
  init(holding middle: Vector, radius: Double) {
    var path: UInt64 = 1
    var corner = Vector(x: -Cube.extent, y: -Cube.extent, z: -Cube.extent)
    // In the coordinates of the present cube.
    var side = Cube.extent
    for _ in 0..<Cube.finest {
      guard side >= 2 * radius else { break }
      path <<= 3
      if middle.x >= corner.x + side {
        path |= 1
        corner.x += side
      }
      if middle.y >= corner.y + side {
        path |= 2
        corner.y += side
      }
      if middle.z >= corner.z + side {
        path |= 4
        corner.z += side
      }
      side /= 2
    }
    self.path = path
  }

  var parent: Cube? { self.path > 1 ? Cube(path: self.path >> 3) : nil }

  /// Its number among the eighths of its parent, 0...7.
  var octant: UInt64 { self.path & 7 }

  /// A cube with its position, as computed in a search from the whole down.
  struct Placed: Sendable {
    let cube: Cube
    let middle: Vector
    /// Metres.
    let side: Double

    static let whole = Placed(cube: .whole, middle: Vector(x: 0, y: 0, z: 0), side: 2 * Cube.extent)

    /// Half of the side of the larger cube with the same middle that contains all balls of this one: their middles are
    /// in this cube, and none is wider than it.
    var reach: Double { self.side }

    func child(_ octant: UInt64) -> Placed {
      let step = self.side / 4
      return Placed(
        cube: Cube(path: self.cube.path << 3 | octant),
        middle: Vector(
          x: self.middle.x + (octant & 1 == 0 ? -step : step), y: self.middle.y + (octant & 2 == 0 ? -step : step),
          z: self.middle.z + (octant & 4 == 0 ? -step : step)), side: self.side / 2)
    }

    /// The distance to the cube that contains all its balls, metres; 0 within.
    func distance(to place: Vector) -> Double {
      let x = max(abs(place.x - self.middle.x) - self.reach, 0)
      let y = max(abs(place.y - self.middle.y) - self.reach, 0)
      let z = max(abs(place.z - self.middle.z) - self.reach, 0)
      return (x * x + y * y + z * z).squareRoot()
    }
  }
}
