import Positioning

/// One of the cubes that space around the earth is divided into: the whole, its eighths, theirs, and so on.
struct Cube: Hashable, Sendable {
  /// One bit that leads, then three for each time that the whole was halved: which eighth.
  private let path: UInt64

  /// Half of the side of the whole, metres: more than the earth's radius.
  private static let extent = 8_388_608.0
  /// Cubes of 64 m.
  private static let finest = 18

  static let whole = Cube(path: 1)
  /// How many depths there are, the whole's 0 included.
  static let depths = Cube.finest + 1

  /// How often the whole was halved.
  var depth: Int { (UInt64.bitWidth - 1 - self.path.leadingZeroBitCount) / 3 }

  private init(path: UInt64) { self.path = path }

  /// The smallest that holds the middle of a ball and is as wide as the ball; the whole, for one that is wider.
  init(holding middle: Vector, radius: Double) {
    var path: UInt64 = 1
    var corner = Vector(x: -Cube.extent, y: -Cube.extent, z: -Cube.extent)
    // Of the eighths of the cube so far.
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

  /// Which eighth of its parent it is, 0...7.
  var octant: UInt64 { self.path & 7 }

  /// A cube where it lies, as a search that goes down from the whole knows it without reckoning.
  struct Placed: Sendable {
    let cube: Cube
    let middle: Vector
    /// Metres.
    let side: Double

    static let whole = Placed(cube: .whole, middle: Vector(x: 0, y: 0, z: 0), side: 2 * Cube.extent)

    /// Half of the side of the larger cube, around the same middle, that holds all balls that lie in this one: by their
    /// middles they lie in it, and none is wider than it.
    var reach: Double { self.side }

    func child(_ octant: UInt64) -> Placed {
      let step = self.side / 4
      return Placed(
        cube: Cube(path: self.cube.path << 3 | octant),
        middle: Vector(
          x: self.middle.x + (octant & 1 == 0 ? -step : step), y: self.middle.y + (octant & 2 == 0 ? -step : step),
          z: self.middle.z + (octant & 4 == 0 ? -step : step)), side: self.side / 2)
    }

    /// From the cube that holds all balls in it, metres; 0 within.
    func distance(to place: Vector) -> Double {
      let x = max(abs(place.x - self.middle.x) - self.reach, 0)
      let y = max(abs(place.y - self.middle.y) - self.reach, 0)
      let z = max(abs(place.z - self.middle.z) - self.reach, 0)
      return (x * x + y * y + z * z).squareRoot()
    }
  }
}
