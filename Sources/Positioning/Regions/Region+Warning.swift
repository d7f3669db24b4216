extension Region {
  /// The usual 95 % radius of a receiver under an open sky, in metres.
  public static let typicalAccuracy95 = 12.0
  /// Metres. In a region with a smaller depth even a good fix is rarely certain to be inside.
  public static let advisedDepth = 0.8 * Self.typicalAccuracy95

  /// A warning for an accepted region that is hardly larger than a fix's error.
  public var warning: String? {
    let depth: Double
    switch self.shape {
    case .circle(_, let radius): depth = radius
    case .polygon(let vertices): depth = SphericalPolygon(vertices)?.inradius ?? 0
    }
    return Self.warning(depth: depth)
  }

  /// The same for a region where no place is farther from the edge than this, in metres.
  package static func warning(depth: Double) -> String? {
    guard depth < Self.advisedDepth else { return nil }
    return "its edge is at most \(Self.tenths(depth)) m from its middle, less than the error of a usual fix "
      + "(\(Self.tenths(Self.typicalAccuracy95)) m): it may be entered and left without an event"
  }

  private static func tenths(_ meters: Double) -> String { "\((meters * 10).rounded() / 10)" }
}
