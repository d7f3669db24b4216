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

  /// The least `margin` of any prompt region, or the limit, whichever is smaller.
  ///
  /// - Parameters:
  ///   - place: Metres from the earth's centre.
  ///   - margin: The distance that the device can go before the region may change, by its slot; at least the distance
  ///     to the region's ball, less `exitDistanceBound`.
  func least(
    from place: Vector, sigma: Double, below limit: Double, margin: (Int) -> Double
  ) -> (margin: Double, examined: Int) {
    var least = limit
    var examined = 0
    var open = [(place: Cube.Placed.whole, bound: -Double.infinity)]
    while least > 0, let (outer, bound) = open.popLast() {
      guard bound < least, let node = self.node(outer.cube), node.promptCount > 0 else { continue }
      for item in node.items where item.isPrompt {
        examined += 1
        let distance = (place - item.middle).length - item.radius
        if distance - RegionRule.exitDistanceBound(sigma: sigma) < least {
          least = min(least, margin(item.slot))
        }
      }
      var children: [(place: Cube.Placed, bound: Double)] = []
      for octant in 0..<8 as Range<UInt64> where node.children & (1 << UInt8(octant)) != 0 {
        let child = outer.child(octant)
        let bound =
          child.distance(to: place) - RegionRule.exitDistanceBound(sigma: sigma)
        if bound < least { children.append((child, bound)) }
      }
      // The nearest first, so that most others can be skipped.
      open += children.sorted { $0.bound > $1.bound }
    }
    return (least, examined)
  }
}
