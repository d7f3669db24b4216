public import JSONRPC
public import Positioning

/// A region and where the device is with regard to it. On the wire the region's members stand beside the others.
public struct WatchedRegionObject: DescribedObject {
  public var region: RegionObject
  /// Where the device is, as far as the fixes decided it.
  public var state: RegionState
  /// Since when; absent while that is unknown.
  public var since: Timestamp?
  /// Seconds until it ends; absent where it does not.
  public var remaining: Double?

  public init(region: RegionObject, state: RegionState, since: Timestamp? = nil, remaining: Double? = nil) {
    self.region = region
    self.state = state
    self.since = since
    self.remaining = remaining
  }

  public static let fields: [FieldDescription] =
    RegionObject.fields + [
      FieldDescription(
        "state", .choice(of: RegionState.self), example: "inside",
        "Where the device is, as far as the fixes decided it."),
      FieldDescription(
        "since", .time, .optional, example: "2026-01-31T12:00:00.000Z",
        "Since when; absent while that is unknown."),
      FieldDescription(
        "remaining", .number(.nonNegative), .optional, example: 3600,
        "Seconds until it ends; absent where it does not."),
    ]

  private enum CodingKeys: CodingKey { case state, since, remaining }

  public init(from decoder: any Decoder) throws {
    self.region = try RegionObject(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.state = try container.decode(RegionState.self, forKey: .state)
    self.since = try container.decodeIfPresent(Timestamp.self, forKey: .since)
    self.remaining = try container.decodeIfPresent(Double.self, forKey: .remaining)
  }

  public func encode(to encoder: any Encoder) throws {
    try self.region.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.state, forKey: .state)
    try container.encodeIfPresent(self.since, forKey: .since)
    try container.encodeIfPresent(self.remaining, forKey: .remaining)
  }
}
