import Positioning

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
