public import JSONRPC

/// Watches a region, or changes the one of its id. On the wire the region's members stand beside `durable`.
public struct RegionAddRequest: RequestType, WireObject, Hashable {
  public static let method = "region.add"
  public static let summary = "Watches a region, or changes the one of its id."
  public static let isAllowedInBatch = false

  public var region: RegionObject
  /// Makes it outlive the connection.
  public var durable: DurableParameter?

  public init(region: RegionObject, durable: DurableParameter? = nil) {
    self.region = region
    self.durable = durable
  }

  public static let wire = ObjectCodec<RegionAddRequest>(blank: RegionAddRequest(region: RegionObject.wire.blank)) {
    RegionObject.wire.fields(within: \RegionAddRequest.region)
    Field.optional(
      "durable", \.durable, DurableParameter.codec, example: DurableParameter.example,
      "Makes it outlive the connection.")
  }

  public typealias Result = RegionResult
  public static let result = ResultDescription(
    "region", RegionResult.wire.schema, "Where the device is with regard to it.")
}
