public import JSONRPC

/// Stops watching a region.
public struct RegionRemoveRequest: RequestType, WireObject, Hashable {
  public static let method = "region.remove"
  public static let summary = "Stops watching a region."

  /// The region's id.
  public var id: String
  /// The durable name to which it belongs; if absent, it belongs to this connection.
  public var durable: String?

  public init(id: String, durable: String? = nil) {
    self.id = id
    self.durable = durable
  }

  public static let wire = ObjectCodec<RegionRemoveRequest>(blank: RegionRemoveRequest(id: "")) {
    Field.required("id", \.id, .string(maximumBytes: 128), example: "home", "The region's id.")
    Field.optional(
      "durable", \.durable, .durableReference, example: ["name": "tracker"],
      "The durable name to which it belongs; if absent, it belongs to this connection.")
  }

  public typealias Result = RegionResult
  public static let result = ResultDescription(
    "region", RegionResult.wire.schema, "The last state of the region.")
}
