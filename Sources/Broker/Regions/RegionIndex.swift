import Positioning

/// Finds the regions near a fix, or on the way between two, without looking at all of them.
///
/// Space is a cube of 16,777 km, divided into halves in each direction again and again down to cubes of 64 m. Each region
/// lies in the smallest cube that is at least as wide as the ball that holds the region, by the ball's middle; so the
/// ball reaches beyond its cube by no more than half of the cube's side. Only cubes that hold something are kept, in a
/// hash table. Adding and removing touch one cube of each size; a search goes down from the whole and leaves out what it
/// cannot reach, so its cost depends on what lies near, hardly on how many regions there are. Space, not latitude and
/// longitude, because in space no place is special.
struct RegionIndex: Sendable {
  struct Item: Sendable {
    let slot: Int
    /// The ball that holds the region, metres.
    let middle: Vector
    let radius: Double
    /// Whether the receiver must look as soon as the device can be at the region's edge.
    let isPrompt: Bool
  }

  struct Node: Sendable {
    var items: [Item] = []
    /// Bit n is set where the cube's n-th eighth holds something.
    var children: UInt8 = 0
    /// In the cube and all within it.
    var count = 0
    var promptCount = 0
  }

  private(set) var nodes: [Cube: Node] = [:]
  /// Where each region lies.
  private var places: [Int: (cube: Cube, position: Int)] = [:]

  var count: Int { self.places.count }
  var promptCount: Int { self.nodes[Cube.whole]?.promptCount ?? 0 }

  mutating func insert(_ item: Item) {
    let cube = Cube(holding: item.middle, radius: item.radius)
    self.places[item.slot] = (cube, self.nodes[cube]?.items.count ?? 0)
    self.nodes[cube, default: Node()].items.append(item)
    var current = cube
    while true {
      self.nodes[current, default: Node()].count += 1
      if item.isPrompt { self.nodes[current, default: Node()].promptCount += 1 }
      guard let parent = current.parent else { return }
      self.nodes[parent, default: Node()].children |= 1 << current.octant
      current = parent
    }
  }

  mutating func remove(slot: Int) {
    guard let (cube, position) = self.places.removeValue(forKey: slot),
      let item = self.nodes[cube]?.items[position]
    else { return }
    self.takeOut(position, of: cube)
    var current = cube
    while true {
      self.nodes[current]?.count -= 1
      if item.isPrompt { self.nodes[current]?.promptCount -= 1 }
      let isEmpty = self.nodes[current]?.count == 0
      if isEmpty { self.nodes[current] = nil }
      guard let parent = current.parent else { return }
      if isEmpty { self.nodes[parent]?.children &= ~(1 << current.octant) }
      current = parent
    }
  }

  /// The last takes the place of the one that goes.
  private mutating func takeOut(_ position: Int, of cube: Cube) {
    guard let last = self.nodes[cube]?.items.popLast(), let count = self.nodes[cube]?.items.count else { return }
    if position < count {
      self.nodes[cube]?.items[position] = last
      self.places[last.slot] = (cube, position)
    }
  }
}

/// One of the cubes that space is divided into.
struct Cube: Hashable, Sendable {
  /// How often the whole was halved.
  let level: Int32
  let x: Int32
  let y: Int32
  let z: Int32

  /// Half of the side of the whole, metres: more than the earth's radius.
  private static let extent = 8_388_608.0
  /// Cubes of 64 m.
  private static let finest: Int32 = 18

  static let whole = Cube(level: 0, x: 0, y: 0, z: 0)

  private init(level: Int32, x: Int32, y: Int32, z: Int32) {
    self.level = level
    self.x = x
    self.y = y
    self.z = z
  }

  /// The smallest that holds the middle of a ball and is as wide as the ball; the whole, for one that is wider.
  init(holding middle: Vector, radius: Double) {
    var level: Int32 = 0
    var side = Cube.extent
    while level < Cube.finest, side >= 2 * radius {
      level += 1
      side /= 2
    }
    self.level = level
    self.x = Cube.step(middle.x, level)
    self.y = Cube.step(middle.y, level)
    self.z = Cube.step(middle.z, level)
  }

  private static func step(_ value: Double, _ level: Int32) -> Int32 {
    Int32(((value + self.extent) / (2 * self.extent / Double(1 << level))).rounded(.down))
  }

  var side: Double { 2 * Cube.extent / Double(1 << self.level) }

  var middle: Vector {
    let side = self.side
    return Vector(
      x: (Double(self.x) + 0.5) * side - Cube.extent, y: (Double(self.y) + 0.5) * side - Cube.extent,
      z: (Double(self.z) + 0.5) * side - Cube.extent)
  }

  /// Half of the side of the cube around its middle that holds all balls that lie in it.
  var reach: Double { self.side }

  var parent: Cube? {
    guard self.level > 0 else { return nil }
    return Cube(level: self.level - 1, x: self.x >> 1, y: self.y >> 1, z: self.z >> 1)
  }

  /// Which eighth of its parent it is, 0...7.
  var octant: UInt8 { UInt8((self.x & 1) | (self.y & 1) << 1 | (self.z & 1) << 2) }

  /// Its eighths that a node's `children` names.
  func children(_ mask: UInt8) -> [Cube] {
    (0..<8 as Range<Int32>).compactMap { octant -> Cube? in
      guard mask & (1 << octant) != 0 else { return nil }
      return Cube(
        level: self.level + 1, x: self.x << 1 | octant & 1, y: self.y << 1 | octant >> 1 & 1,
        z: self.z << 1 | octant >> 2 & 1)
    }
  }
}
