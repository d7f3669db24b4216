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
