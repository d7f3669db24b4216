public import JSONRPC
public import Positioning

/// Watches a region, or changes the one with its id. On the wire the region's members stand beside `durable`.
public struct RegionAddRequest: RequestType, WireObject, Hashable {
  public static let method = "region.add"
  public static let summary = "Watches a region, or changes the one with its id."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission
  public static let usual: Set<String> = ["circle"]

  public var region: Region
  /// The durable name that makes it outlive the connection.
  public var durable: DurableRequest?

  public init(region: Region, durable: DurableRequest? = nil) {
    self.region = region
    self.durable = durable
  }

  public static let wire = ObjectCodec<RegionAddRequest>(blank: RegionAddRequest(region: Region.wire.blank)) {
    Region.wire.fields(within: \RegionAddRequest.region)
    Field.optional(
      "durable", \.durable, DurableRequest.codec, example: DurableRequest.example,
      "The durable name that makes it outlive the connection.")
  } check: { (_: inout RegionAddRequest, view: JSONView) throws(CodingFailure) in
    try Region.checkShape(in: view)
  }

  public typealias Result = RegionResult
  public static let result = ResultDescription(
    "region", RegionResult.wire.schema, "The state of the region.")
}
