public import JSONRPC
public import Positioning

/// A part of the globe whose entering and leaving is told: a circle or a polygon.
public struct RegionObject: WireObject, Hashable {
  /// What its owner calls it: 1 to 128 bytes without control characters.
  public var id: String
  /// Its place, where it is a circle.
  public var circle: Circle?
  /// Its corners, where it is a polygon; the last is joined with the first.
  public var polygon: [Corner]?
  /// What is told of it, beside `expired`.
  public var notify: [RegionEventKind]?
  /// Seconds inside after which `dwell` is told.
  public var dwellTime: Double?
  /// Seconds that an event may be late, to let the receiver sleep so long.
  public var latency: Double?
  /// Seconds after which it ends.
  public var expiresIn: Double?
  /// Whether the first decision is told, though nothing was entered or left.
  public var initial: InitialReport?

  public init(
    id: String, circle: Circle? = nil, polygon: [Corner]? = nil, notify: [RegionEventKind]? = nil,
    dwellTime: Double? = nil, latency: Double? = nil, expiresIn: Double? = nil, initial: InitialReport? = nil
  ) {
    self.id = id
    self.circle = circle
    self.polygon = polygon
    self.notify = notify
    self.dwellTime = dwellTime
    self.latency = latency
    self.expiresIn = expiresIn
    self.initial = initial
  }

  public static let wire = ObjectCodec<RegionObject>(blank: RegionObject(id: "")) {
    Field.required(
      "id", \.id, .string(maximumBytes: 128), example: "home",
      "What its owner calls it: 1 to 128 bytes without control characters.")
    Field.optional("circle", \.circle, Circle.codec, example: Circle.example, "Its place, where it is a circle.")
    Field.optional(
      "polygon", \.polygon, .array(of: Corner.codec), example: [[48.13, 11.55], [48.15, 11.55], [48.14, 11.58]],
      "Its corners, where it is a polygon, each a latitude and a longitude; the last is joined with the first.")
    Field.optional(
      "notify", \.notify, .array(of: .word(RegionEventKind.onDemand)), default: ["enter", "exit"],
      example: ["enter", "dwell"],
      "What is told of it, beside `expired`.")
    Field.optional(
      "dwellTime", \.dwellTime, .number(.heartbeat), example: 600,
      "Seconds inside after which `dwell` is told.")
    Field.optional(
      "latency", \.latency, .number(.seconds), example: 300,
      "Seconds that an event may be late, to let the receiver sleep so long.")
    Field.optional("expiresIn", \.expiresIn, .number(.heartbeat), example: 86400, "Seconds after which it ends.")
    Field.optional(
      "initial", \.initial, InitialReport.codec, default: "none", example: "ifInside",
      "Whether the first decision is told, though nothing was entered or left.")
  }

  /// All places within a distance of one.
  public struct Circle: WireObject, Hashable {
    /// Degrees north, WGS 84.
    public var latitude: Double
    /// Degrees east, WGS 84.
    public var longitude: Double
    /// Metres.
    public var radius: Double

    public init(latitude: Double, longitude: Double, radius: Double) {
      self.latitude = latitude
      self.longitude = longitude
      self.radius = radius
    }

    public static let wire = ObjectCodec<Circle>(blank: Circle(latitude: 0, longitude: 0, radius: 0)) {
      Field.required("latitude", \.latitude, .number(.latitude), example: 48.137, "Degrees north, WGS 84.")
      Field.required("longitude", \.longitude, .number(.longitude), example: 11.575, "Degrees east, WGS 84.")
      Field.required("radius", \.radius, .number(.meters), example: 150, "Metres.")
    }
  }
}

extension RegionEventKind {
  /// Those that a region's owner chooses.
  public static let onDemand = Self.allCases.filter { $0 != .expired }
}
