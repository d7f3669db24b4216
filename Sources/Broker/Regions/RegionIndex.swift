import Positioning

/// Finds the regions near a fix, or on the path between two, without checking all of them.
///
/// Space is a cube of 16,777 km, repeatedly divided into eighths down to cubes of 64 m. Each region is in the smallest
/// cube that contains its ball's middle and is at least as wide as the ball. So the ball reaches beyond its cube by at
/// most half of the cube's side. Only cubes with contents are stored, in hash tables. Adding and removing change one
/// cube of each size. A search goes down from the whole and skips what it cannot reach, so its cost depends on the
/// regions near the fix, and hardly on their total number. It uses space rather than latitude and longitude because no
/// place in space is special.
struct RegionIndex: Sendable {
  struct Item: Sendable {
    let slot: Int
    /// The ball that contains the region, metres.
    let middle: Vector
    let radius: Double
    /// How much later than the device can be at the region's border to probe.
    let latency: Duration
    /// Whether to probe as soon as that.
    var isPrompt: Bool { self.latency == .zero }
  }

  struct Node: Sendable {
    var items: [Item] = []
    /// Bit n is set if the cube's n-th eighth has contents.
    var children: UInt8 = 0
    /// In the cube and all its parts.
    var count = 0
    var promptCount = 0
  }

  /// One table for each number of divisions. A single table would have several entries for each region, and growing it
  /// would take one long turn.
  private(set) var nodes: [[Cube: Node]] = Array(repeating: [:], count: Cube.depths)
  /// The cube of each region.
  private var places: [Int: (cube: Cube, position: Int)] = [:]

  var count: Int { self.places.count }
  var promptCount: Int { self.node(Cube.whole)?.promptCount ?? 0 }

  func node(_ cube: Cube) -> Node? { self.nodes[cube.depth][cube] }

  mutating func insert(_ item: Item) {
    let cube = Cube(holding: item.middle, radius: item.radius)
    self.places[item.slot] = (cube, self.node(cube)?.items.count ?? 0)
    self.nodes[cube.depth][cube, default: Node()].items.append(item)
    var current = cube
    while true {
      self.nodes[current.depth][current, default: Node()].count += 1
      if item.isPrompt { self.nodes[current.depth][current, default: Node()].promptCount += 1 }
      guard let parent = current.parent else { return }
      self.nodes[parent.depth][parent, default: Node()].children |= 1 << UInt8(current.octant)
      current = parent
    }
  }

  mutating func remove(slot: Int) {
    guard let (cube, position) = self.places.removeValue(forKey: slot),
      let item = self.nodes[cube.depth][cube]?.items[position]
    else { return }
    self.takeOut(position, of: cube)
    var current = cube
    while true {
      self.nodes[current.depth][current]?.count -= 1
      if item.isPrompt { self.nodes[current.depth][current]?.promptCount -= 1 }
      let isEmpty = self.nodes[current.depth][current]?.count == 0
      if isEmpty { self.nodes[current.depth][current] = nil }
      guard let parent = current.parent else { return }
      if isEmpty { self.nodes[parent.depth][parent]?.children &= ~(1 << UInt8(current.octant)) }
      current = parent
    }
  }

  /// The last takes the place of the removed one.
  private mutating func takeOut(_ position: Int, of cube: Cube) {
    guard let last = self.nodes[cube.depth][cube]?.items.popLast(),
      let count = self.nodes[cube.depth][cube]?.items.count
    else { return }
    if position < count {
      self.nodes[cube.depth][cube]?.items[position] = last
      self.places[last.slot] = (cube, position)
    }
  }
}

extension RegionIndex {
  /// The result of a search.
  struct Finding: Sendable {
    var slots: [Int] = []
    /// How many regions were compared with the path, which is the cost of the search.
    var examined = 0
  }

  /// The regions without pending votes that a fix may affect: those that contain its place; and for those with
  /// `crossed`, also those that the fix is not clear of, or that the path to it may lead through.
  ///
  /// - Parameters:
  ///   - segment: The path to the fix; only the fix if there is none.
  ///   - sigma: Of the fix. Regions in a smaller ball are too small to be affected.
  func search(along segment: Segment, sigma: Double, includesCrossing: Bool) -> Finding {
    var finding = Finding()
    let margin = Self.margin(segment, sigma: sigma, includesCrossing: includesCrossing)
    var open = [Cube.Placed.whole]
    while let place = open.popLast() {
      guard let node = self.node(place.cube) else { continue }
      for item in node.items {
        finding.examined += 1
        if segment.distance(to: item.middle) <= item.radius + margin { finding.slots.append(item.slot) }
      }
      guard place.side / 4 >= sigma else { continue }
      for octant in 0..<8 as Range<UInt64> where node.children & (1 << UInt8(octant)) != 0 {
        let child = place.child(octant)
        if segment.meets(cubeAround: child.middle, half: child.reach + margin) { open.append(child) }
      }
    }
    return finding
  }

  /// The largest distance of a relevant ball from the segment.
  private static func margin(_ segment: Segment, sigma: Double, includesCrossing: Bool) -> Double {
    // A centimetre for rounding, since the numbers are as large as the earth.
    0.01 + (includesCrossing ? segment.sagitta + RegionRule.exitDistanceBound(sigma: sigma) : 0)
  }

  /// Where a device is, and how it may move, for `leastSleep`.
  struct Reach: Sendable {
    /// Of the last fix, metres from the earth's centre.
    let place: Vector
    /// Of the last fix.
    let sigma: Double
    /// Metres that the device may have moved since the fix.
    let gone: Double
    /// Metres per second.
    let speed: Double

    /// The seconds in which it can be at something that is so many metres away.
    func time(to distance: Double) -> Double { max(distance - self.gone, 0) / self.speed }
  }

  /// After so many regions those with a latency are no longer compared: all are probed as if the device were at the one
  /// with the shortest.
  private static var compared: Int { 2000 }

  /// The least time, in seconds, in which the device can be at any region's border, and that region's latency more; or
  /// the limit, if that is smaller.
  ///
  /// - Parameters:
  ///   - latency: The shortest latency of the regions that have one.
  ///   - margin: The distance that the device can go before the region may change, by its slot; at least the distance
  ///     to the region's ball, less `exitDistanceBound`.
  func leastSleep(
    _ reach: Reach, below limit: Double, latency: Double, margin: (Int) -> Double
  ) -> (sleep: Double, examined: Int) {
    let slack = RegionRule.exitDistanceBound(sigma: reach.sigma)
    var least = limit
    var examined = 0
    var open = [(place: Cube.Placed.whole, time: 0.0)]
    while let (outer, time) = open.popLast() {
      guard time < least, let node = self.node(outer.cube) else { continue }
      let hasPrompt = node.promptCount > 0
      if node.count > node.promptCount, examined >= Self.compared { least = min(least, time + latency) }
      guard hasPrompt || time + latency < least else { continue }
      for item in node.items where item.isPrompt || examined < Self.compared {
        examined += 1
        let latency = item.latency.seconds
        let distance = (reach.place - item.middle).length - item.radius
        if reach.time(to: distance - slack) + latency < least {
          least = min(least, reach.time(to: margin(item.slot)) + latency)
        }
      }
      var children: [(place: Cube.Placed, time: Double)] = []
      for octant in 0..<8 as Range<UInt64> where node.children & (1 << UInt8(octant)) != 0 {
        let child = outer.child(octant)
        let time = reach.time(to: child.distance(to: reach.place) - slack)
        if time + (hasPrompt ? 0 : latency) < least { children.append((child, time)) }
      }
      // The nearest first, so that most others can be skipped.
      open += children.sorted { $0.time > $1.time }
    }
    return (least, examined)
  }
}

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
