extension SphericalPolygon {
  /// Metres: (2 a + b) / 3 of WGS 84.
  static let earthRadius = 6_371_008.8

  /// The most computations of depth in the search for the deepest place, so that a comb of a thousand vertices does not
  /// take long.
  private static let patience = 400

  /// The greatest distance of an inside place from the edge, in metres. It is at most 2 % too small, or up to a half
  /// for a shape like a comb.
  ///
  /// It corresponds to a circle's radius. The root of the area would not: that of a road is large, though nowhere on it
  /// is a fix of 20 m certain to be inside.
  package var inradius: Double {
    let polygon = self.ready
    let points = polygon.flattened
    guard let first = points.first else { return 0 }
    var low = first
    var high = first
    for point in points {
      low = PlanePoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = PlanePoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    var search = DepthSearch(polygon: polygon)
    search.add(
      PlanePoint(x: (low.x + high.x) / 2, y: (low.y + high.y) / 2),
      half: PlanePoint(x: (high.x - low.x) / 2, y: (high.y - low.y) / 2))
    while search.computed < Self.patience, search.refine() {}
    return search.deepest * Self.earthRadius
  }
}

/// Searches for the deepest place, in the most promising rectangle first: nothing in a rectangle of the plane is deeper
/// than its middle by more than half its diagonal, because angles are smaller than their images on the plane.
private struct DepthSearch {
  private struct Rectangle {
    let middle: PlanePoint
    /// From the middle to the sides.
    let half: PlanePoint
    /// No place in it is deeper.
    let bound: Double
  }

  /// The factor by which the result may be too small.
  private static let tolerance = 1.02

  private let polygon: SphericalPolygon
  private let plane: TangentPlane
  private var rectangles: [Rectangle] = []
  private(set) var deepest = 0.0
  private(set) var computed = 0

  init(polygon: SphericalPolygon) {
    self.polygon = polygon
    self.plane = polygon.plane
  }

  mutating func add(_ middle: PlanePoint, half: PlanePoint) {
    let depth = self.polygon.depth(of: self.plane.lift(middle))
    self.computed += 1
    self.deepest = max(self.deepest, depth)
    let bound = depth + (half.x * half.x + half.y * half.y).squareRoot()
    self.rectangles.append(Rectangle(middle: middle, half: half, bound: bound))
  }

  /// Halves the most promising rectangle across its longer side; returns false if none can improve the result.
  mutating func refine() -> Bool {
    let best = self.rectangles.indices.max { self.rectangles[$0].bound < self.rectangles[$1].bound }
    guard let best, self.rectangles[best].bound > self.deepest * Self.tolerance else { return false }
    let whole = self.rectangles[best]
    self.rectangles.swapAt(best, self.rectangles.count - 1)
    self.rectangles.removeLast()
    let isWide = whole.half.x > whole.half.y
    let half = PlanePoint(x: isWide ? whole.half.x / 2 : whole.half.x, y: isWide ? whole.half.y : whole.half.y / 2)
    let step = PlanePoint(x: isWide ? half.x : 0, y: isWide ? 0 : half.y)
    self.add(PlanePoint(x: whole.middle.x - step.x, y: whole.middle.y - step.y), half: half)
    self.add(PlanePoint(x: whole.middle.x + step.x, y: whole.middle.y + step.y), half: half)
    return true
  }
}
