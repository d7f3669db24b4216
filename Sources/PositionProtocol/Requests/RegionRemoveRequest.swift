public import JSONRPC

/// Watches a region no more.
public struct RegionRemoveRequest: RequestType, WireObject, Hashable {
  public static let method = "region.remove"
  public static let summary = "Watches a region no more."

  /// What its owner calls it.
  public var id: String
  /// The name that it belongs to; absent, this connection.
  public var durable: String?

  public init(id: String, durable: String? = nil) {
    self.id = id
    self.durable = durable
  }

  public static let wire = ObjectCodec<RegionRemoveRequest>(blank: RegionRemoveRequest(id: "")) {
    Field.required("id", \.id, .string(maximumBytes: 128), example: "home", "What its owner calls it.")
    Field.optional(
      "durable", \.durable, .durableReference, example: ["name": "tracker"],
      "The name that it belongs to; absent, this connection.")
  }

  public typealias Result = RegionResult
  public static let result = ResultDescription(
    "region", RegionResult.wire.schema, "Where the device was with regard to it.")
}
