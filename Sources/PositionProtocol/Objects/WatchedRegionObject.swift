public import JSONRPC
public import Positioning

/// A region and where the device is with regard to it. On the wire the region's members stand beside the others.
public struct WatchedRegionObject: WireObject, Hashable {
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

  public static let wire = ObjectCodec<WatchedRegionObject>(
    "WatchedRegion", blank: WatchedRegionObject(region: RegionObject.wire.blank, state: .unknown)
  ) {
    RegionObject.wire.fields(within: \WatchedRegionObject.region)
    Field.required(
      "state", \.state, RegionState.codec, example: "inside",
      "Where the device is, as far as the fixes decided it.")
    Field.optional(
      "since", \.since, Timestamp.codec, example: "2026-01-31T12:00:00.000Z",
      "Since when; absent while that is unknown.")
    Field.optional(
      "remaining", \.remaining, .number(.nonNegative), example: 3600,
      "Seconds until it ends; absent where it does not.")
  }
}
