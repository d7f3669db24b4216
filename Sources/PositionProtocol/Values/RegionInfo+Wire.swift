public import JSONRPC
public import Positioning

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
