/// A part of the globe; a client is notified when the device enters and leaves it.
public struct Region: Hashable, Sendable {
  /// The id: 1 to 128 bytes without control characters.
  public var id: String
  public var shape: RegionShape
  /// The events to report, in addition to `expired`, which is always reported.
  public var notify: Set<RegionEventKind>
  /// How long the device must have been inside for `dwell`; greater than 0.
  public var dwellTime: Duration?
  /// How late an event may be: the receiver sleeps so much longer than until the device can have reached the border.
  /// `nil`: no longer.
  public var latency: Duration?
  /// How long after it was added it expires.
  public var expiresIn: Duration?
  public var initial: InitialReport

  public init(
    id: String, shape: RegionShape, notify: Set<RegionEventKind> = [.enter, .exit], dwellTime: Duration? = nil,
    latency: Duration? = nil, expiresIn: Duration? = nil, initial: InitialReport = .none
  ) {
    self.id = id
    self.shape = shape
    self.notify = notify
    self.dwellTime = dwellTime
    self.latency = latency
    self.expiresIn = expiresIn
    self.initial = initial
  }
}

/// What a region covers.
public enum RegionShape: Hashable, Sendable {
  /// The radius is in metres along the ground.
  case circle(center: Coordinate, radius: Double)
  /// Joined in order, the last with the first, by great circles; the smaller side is inside.
  case polygon([Coordinate])
}

/// The events of a region.
public enum RegionEventKind: String, Hashable, Sendable, CaseIterable {
  case enter, exit
  /// The device has been inside for `dwellTime`.
  case dwell
  /// The device passed through between two fixes that both lay outside.
  case crossed
  /// Its time is over, and it was removed.
  case expired
  /// Unknown to a client: a later daemon sent a value that it does not know. No daemon sends it.
  case unknown

  /// The values that a daemon sends.
  public static let allCases: [RegionEventKind] = [.enter, .exit, .dwell, .crossed, .expired]
}

/// Where the device is, as decided by the fixes.
public enum RegionState: String, Hashable, Sendable, CaseIterable {
  case unknown, inside, outside
}

/// Whether the initial state of a new region is reported, although nothing was entered or left.
public enum InitialReport: String, Hashable, Sendable, CaseIterable {
  case none
  /// `enter` if the device is inside.
  case ifInside
  /// `enter` or `exit`.
  case always
}

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

  /// The warning about a region where no place is farther from the edge than this, in metres.
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

/// Checks that a list of vertices is a polygon with an inside.
struct PolygonCheck {
  /// Without a last one that closes the polygon, and without neighbours at the same place.
  private(set) var vertices: [Coordinate] = []
  /// The index of each vertex in the given list.
  private var places: [Int] = []

  /// Vertices closer than this are one vertex: 6 mm, in radians.
  private static let least = 1e-9
  /// Radians: a polygon that is nowhere wider has no inside.
  private static let leastWidth = 2e-9

  init(_ given: [Coordinate]) throws(InvalidRegion) {
    for (place, vertex) in given.enumerated() {
      try Region.check(vertex.latitude, within: 90, "polygon[\(place)][0]")
      try Region.check(vertex.longitude, within: 180, "polygon[\(place)][1]")
      if let last = self.vertices.last, Self.areOne(last, vertex) { continue }
      self.vertices.append(vertex)
      self.places.append(place)
    }
    while let first = self.vertices.first, let last = self.vertices.last, self.vertices.count > 1,
      Self.areOne(first, last)
    {
      self.vertices.removeLast()
      self.places.removeLast()
    }
    guard Region.vertexCounts.contains(self.vertices.count) else {
      throw InvalidRegion(parameter: "polygon", expected: "3 to 1000 different vertices, not \(self.vertices.count)")
    }
    guard let polygon = SphericalPolygon(self.vertices) else {
      throw InvalidRegion(parameter: "polygon", expected: "smaller than half of the globe")
    }
    let points = polygon.flattened
    guard Self.hasWidth(points) else {
      throw InvalidRegion(parameter: "polygon", expected: "more than a line: its area is 0")
    }
    if let (one, other) = SelfIntersection.first(in: points) {
      throw InvalidRegion(
        parameter: "polygon",
        expected: "a line that does not meet itself: its edges from polygon[\(self.places[one])] and from "
          + "polygon[\(self.places[other])] do")
    }
  }

  /// Whether computations with the polygon work, whatever its shape.
  static func checkUsable(_ vertices: [Coordinate], cap: Cap?) throws(InvalidRegion) {
    for (place, vertex) in vertices.enumerated() {
      try Region.check(vertex.latitude, within: 90, "polygon[\(place)][0]")
      try Region.check(vertex.longitude, within: 180, "polygon[\(place)][1]")
    }
    guard Region.vertexCounts.contains(vertices.count) else {
      throw InvalidRegion(parameter: "polygon", expected: "3 to 1000 different vertices, not \(vertices.count)")
    }
    // A polygon within narrow bounds needs no computation.
    let latitudes = vertices.map(\.latitude)
    let longitudes = vertices.map(\.longitude)
    let height = (latitudes.max() ?? 0) - (latitudes.min() ?? 0)
    let width = (longitudes.max() ?? 0) - (longitudes.min() ?? 0)
    guard height + width < 60 || SphericalPolygon(vertices, cap: cap) != nil else {
      throw InvalidRegion(parameter: "polygon", expected: "smaller than half of the globe")
    }
  }

  private static func areOne(_ one: Coordinate, _ other: Coordinate) -> Bool {
    (one.normal - other.normal).squaredLength < self.least * self.least
  }

  /// Whether some vertex lies off the line through the first vertex and the one farthest from it.
  private static func hasWidth(_ points: [PlanePoint]) -> Bool {
    guard let first = points.first,
      let far = points.max(by: { first.squaredDistance(to: $0) < first.squaredDistance(to: $1) })
    else { return false }
    let length = first.squaredDistance(to: far).squareRoot()
    return points.contains { abs(first.turn(far, $0)) > self.leastWidth * length }
  }
}
