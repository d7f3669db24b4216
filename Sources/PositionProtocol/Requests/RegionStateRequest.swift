public import JSONRPC

/// Tells where the device is with regard to a region.
public struct RegionStateRequest: RequestType, WireObject, Hashable {
  public static let method = "region.state"
  public static let summary = "Tells where the device is with regard to a region."

  /// What its owner calls it.
  public var id: String
  /// The name that it belongs to; absent, this connection.
  public var durable: String?

  public init(id: String, durable: String? = nil) {
    self.id = id
    self.durable = durable
  }

  public static let wire = ObjectCodec<RegionStateRequest>(blank: RegionStateRequest(id: "")) {
    Field.required("id", \.id, .string(maximumBytes: 128), example: "home", "What its owner calls it.")
    Field.optional(
      "durable", \.durable, .durableReference, example: ["name": "tracker"],
      "The name that it belongs to; absent, this connection.")
  }

  public typealias Result = RegionResult
  public static let result = ResultDescription(
    "region", RegionResult.wire.schema, "Where the device is with regard to it.")
}
