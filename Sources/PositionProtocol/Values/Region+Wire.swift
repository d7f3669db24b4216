public import JSONRPC
public import Positioning

extension Region: WireObject {
  public static let wire = ObjectCodec<Region>(blank: Region(id: "", shape: .polygon([]))) {
    Field.required(
      "id", \.id, .string(maximumBytes: 128), example: "home",
      "The id: 1 to 128 bytes without control characters.")
    Field.optional("circle", \.circle, Circle.codec, example: Circle.example, "A circle: its centre and its radius.")
    Field.optional(
      "polygon", \.polygon, .array(of: .corner), example: [[48.13, 11.55], [48.15, 11.55], [48.14, 11.58]],
      "The corners of a polygon, each a latitude and a longitude; the last is joined with the first.")
    Field.defaulted(
      "notify", \.orderedNotify, .array(of: .word(RegionEventKind.onDemand)), example: ["enter", "dwell"],
      "The events to report, in addition to `expired`.")
    Field.optional(
      "dwellTime", \.dwellTime, .seconds(.heartbeat), example: 600, "Seconds inside after which `dwell` is reported.")
    Field.optional(
      "latency", \.latency, .seconds(.seconds), example: 300,
      "Seconds by which an event may be late, so that the receiver can sleep.")
    Field.optional("expiresIn", \.expiresIn, .seconds(.heartbeat), example: 86400, "Seconds after which it ends.")
    Field.defaulted(
      "initial", \.initial, InitialReport.codec, example: "ifInside",
      "Whether the initial state is reported, although nothing was entered or left.")
  } check: { (_: inout Region, view: JSONView) throws(CodingFailure) in
    try Region.checkShape(in: view)
  }

  /// Checks that there is exactly one shape; also for objects that have a region's members beside their own.
  static func checkShape(in view: JSONView) throws(CodingFailure) {
    switch (view.has("circle"), view.has("polygon")) {
    case (true, false), (false, true): break
    case (false, false): throw .found("missing", expected: "circle or polygon", at: "circle")
    case (true, true): throw .found("set beside circle", expected: "one of them", at: "polygon")
    }
  }
}

// The members whose form differs from that of the properties.
extension Region {
  fileprivate var circle: Circle? {
    get { if case .circle(let center, let radius) = self.shape { Circle(center: center, radius: radius) } else { nil } }
    set { if let newValue { self.shape = .circle(center: newValue.center, radius: newValue.radius) } }
  }

  fileprivate var polygon: [Coordinate]? {
    get { if case .polygon(let corners) = self.shape { corners } else { nil } }
    set { if let newValue { self.shape = .polygon(newValue) } }
  }

  fileprivate var orderedNotify: [RegionEventKind] {
    get { RegionEventKind.onDemand.filter { self.notify.contains($0) } }
    set { self.notify = Set(newValue) }
  }
}

/// A circle.
private struct Circle: WireObject {
  var center: Coordinate
  var radius: Double

  static let wire = ObjectCodec<Circle>(blank: Circle(center: Coordinate(latitude: 0, longitude: 0), radius: 0)) {
    Field.required(
      "latitude", \.center.latitude, .number(.latitude, decimals: 9), example: 48.137, "Degrees north, WGS 84.")
    Field.required(
      "longitude", \.center.longitude, .number(.longitude, decimals: 9), example: 11.575, "Degrees east, WGS 84.")
    Field.required("radius", \.radius, .number(.meters, decimals: 3), example: 150, "Metres.")
  }
}

extension Codec where Value == Coordinate {
  /// A corner of a polygon; on the wire an array of its latitude and its longitude.
  fileprivate static var corner: Codec {
    Codec(
      .array(.number(.any)),
      write: { corner, writer in
        writer.openArray()
        writer.element()
        writer.number(corner.latitude, decimals: 9)
        writer.element()
        writer.number(corner.longitude, decimals: 9)
        writer.closeArray()
      },
      read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> Coordinate in
        var numbers = view.elements.makeIterator()
        guard let latitude = numbers.next()?.double, abs(latitude) <= 90, let longitude = numbers.next()?.double,
          abs(longitude) <= 180, numbers.next() == nil
        else { throw CodingFailure(.described("expected a latitude from -90 to 90 and a longitude from -180 to 180")) }
        return Coordinate(latitude: latitude, longitude: longitude)
      })
  }
}

extension RegionEventKind {
  /// The events that can be chosen.
  public static let onDemand = Self.allCases.filter { $0 != .expired }
}

/// The region's members stand beside the others.
extension RegionInfo: WireObject {
  public static let wire = ObjectCodec<RegionInfo>(
    "WatchedRegion", blank: RegionInfo(region: Region.wire.blank, state: .unknown)
  ) {
    Region.wire.fields(within: \RegionInfo.region)
    Field.required(
      "state", \.state, RegionState.codec, example: "inside",
      "Where the device is, as decided by the fixes.")
    Field.optional(
      "since", \.since, .wallClock, example: "2026-01-31T12:00:00.000Z", "Since when; absent while that is unknown.")
    Field.optional(
      "remaining", \.remaining, .seconds(.nonNegative), example: 3600,
      "Seconds until it ends; absent if it does not.")
  } check: { (_: inout RegionInfo, view: JSONView) throws(CodingFailure) in
    try Region.checkShape(in: view)
  }

  /// Without the polygon, because a region has one shape.
  package static var example: JSONValue {
    let members = self.wire.descriptions.filter { $0.name != "polygon" }.map { ($0.name, $0.example) }
    return .object(Dictionary(uniqueKeysWithValues: members))
  }
}

extension RegionEvent: WireObject {
  public static let wire = ObjectCodec<RegionEvent>(blank: RegionEvent(id: "", kind: .fallback, state: .fallback)) {
    Field.required("id", \.id, .string, example: "home", "The region's id.")
    Field.required("event", \.kind, RegionEventKind.codec, example: "enter", "What happened.")
    Field.required("state", \.state, RegionState.codec, example: "inside", "The region's state after the event.")
    Field.optional(
      "fix", \.fix, Fix.codec, example: Fix.example, "The fix that caused it; absent if only time did.")
    Field.flag(
      "inferred", \.isInferred, "True if no fix was inside and only the path between two fixes shows it; else absent.")
    Field.flag(
      "initial", \.isInitial,
      "True if it is the state in which the region began, and nothing was entered or left; else absent.")
    Field.optional(
      "probability", \.probability, .number(.share, decimals: 3), example: 0.97,
      "The probability that the device is inside, if a fix decided.")
  }
}
