import Positioning

extension RegionIndex {
  /// What a search found.
  struct Finding: Sendable {
    var slots: [Int] = []
    /// How many regions were held against the way: what the search cost.
    var examined = 0
  }

  /// The regions that a fix may say something about though nothing is under way with them: those that its place is in;
  /// and where ways count, those that the fix is not clear of, or that the way to it may lead through.
  ///
  /// - Parameters:
  ///   - segment: the way to the fix; the fix alone where there is none.
  ///   - sigma: of the fix. A region that lies in a smaller ball is too small for it to say anything about.
  func search(along segment: Segment, sigma: Double, waysCount: Bool) -> Finding {
    var finding = Finding()
    let margin = Self.margin(segment, sigma: sigma, waysCount: waysCount)
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

  /// How far from the segment a ball may be and still matter.
  private static func margin(_ segment: Segment, sigma: Double, waysCount: Bool) -> Double {
    // A centimetre for the rounding of numbers as large as the earth.
    0.01 + (waysCount ? segment.sagitta + RegionRule.exitDistanceBound(sigma: sigma) : 0)
  }

  /// The least of what `margin` says of any prompt region, if it is less than the limit; else the limit.
  ///
  /// - Parameters:
  ///   - place: metres from the earth's centre.
  ///   - margin: the distance that the device can go before the region may change, by its slot; never less than the
  ///     distance to the ball that holds it, less what `exitDistanceBound` says.
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
      // The nearest is taken first: it leaves the least for the others to better.
      open += children.sorted { $0.bound > $1.bound }
    }
    return (least, examined)
  }
}
