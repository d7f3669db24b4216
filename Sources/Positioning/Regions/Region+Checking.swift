extension Region {
  /// Metres; the largest circle.
  public static let largestRadius = 1_000_000.0
  /// How many corners a polygon may have.
  public static let vertexCounts = 3...1000
  /// Bytes of UTF-8.
  public static let idLengths = 1...128
  /// About 31 years, so that no sum of times overflows.
  public static let longestTime: Duration = .seconds(1_000_000_000)

  /// The region in its simplest form: without a last vertex that closes the polygon, without neighbours at the same
  /// place, without a latency of 0. Throws why a region cannot be watched.
  public func checked() throws(InvalidRegion) -> Region {
    try self.checkID()
    var checked = self
    switch self.shape {
    case .circle(let center, let radius): try Self.checkCircle(center, radius)
    case .polygon(let vertices): checked.shape = .polygon(try PolygonCheck(vertices).vertices)
    }
    try self.checkOptions()
    if self.latency == .zero { checked.latency = nil }
    return checked
  }

  /// Checks a stored region that may have been damaged: everything that would make computations with it fail. It does
  /// not check whether a polygon intersects itself, which is expensive.
  ///
  /// - Parameter cap: the stored cap around its polygon.
  package func checkUsable(cap: Cap? = nil) throws(InvalidRegion) {
    switch self.shape {
    case .circle(let center, let radius): try Self.checkCircle(center, radius)
    case .polygon(let vertices): try PolygonCheck.checkUsable(vertices, cap: cap)
    }
  }

  private static func checkCircle(_ center: Coordinate, _ radius: Double) throws(InvalidRegion) {
    try Self.check(center.latitude, within: 90, "circle.latitude")
    try Self.check(center.longitude, within: 180, "circle.longitude")
    guard radius > 0, radius <= Self.largestRadius else {
      throw InvalidRegion(parameter: "circle.radius", expected: "greater than 0 and at most 1000000 (metres)")
    }
  }

  private func checkID() throws(InvalidRegion) {
    guard Self.idLengths.contains(self.id.utf8.count) else {
      throw InvalidRegion(parameter: "id", expected: "1 to 128 bytes long")
    }
    guard !self.id.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw InvalidRegion(parameter: "id", expected: "without control characters")
    }
  }

  private func checkOptions() throws(InvalidRegion) {
    guard !self.notify.isEmpty else {
      throw InvalidRegion(parameter: "notify", expected: "at least one of enter, exit, dwell and crossed")
    }
    guard !self.notify.contains(.expired) else {
      throw InvalidRegion(
        parameter: "notify", expected: "any of enter, exit, dwell and crossed: expired is always reported")
    }
    if let latency, latency < .zero || latency > Self.longestTime {
      throw InvalidRegion(parameter: "latency", expected: "between 0 and 1000000000 (seconds)")
    }
    for (parameter, duration) in [("dwellTime", self.dwellTime), ("expiresIn", self.expiresIn)] {
      if let duration, duration <= .zero || duration > Self.longestTime {
        throw InvalidRegion(parameter: parameter, expected: "greater than 0 and at most 1000000000 (seconds)")
      }
    }
    guard !self.notify.contains(.dwell) || self.dwellTime != nil else {
      throw InvalidRegion(parameter: "dwellTime", expected: "given where notify holds dwell")
    }
  }

  static func check(_ degrees: Double, within limit: Double, _ parameter: String) throws(InvalidRegion) {
    guard degrees >= -limit, degrees <= limit else {
      throw InvalidRegion(parameter: parameter, expected: "between -\(Int(limit)) and \(Int(limit)) (degrees)")
    }
  }

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

/// Why a region cannot be watched.
public struct InvalidRegion: Error, Hashable, Sendable {
  /// The path of the wrong parameter in the protocol: `circle.radius`, `polygon[3]`.
  public var parameter: String
  /// The accepted values, as the end of a sentence: "greater than 0 and at most 1000000".
  public var expected: String

  public init(parameter: String, expected: String) {
    self.parameter = parameter
    self.expected = expected
  }
}
