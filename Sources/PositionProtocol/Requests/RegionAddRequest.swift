public import JSONRPC

/// Watches a region, or changes the one of its id. On the wire the region's members stand beside `durable`.
public struct RegionAddRequest: RequestType, Hashable {
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

  public static let parameters: [FieldDescription] =
    RegionObject.fields + [
      FieldDescription(
        "durable", .object(DurableParameter.fields), .optional, example: DescribedExample.of(DurableParameter.self),
        "Makes it outlive the connection.")
    ]

  private enum CodingKeys: CodingKey { case durable }

  public init(from decoder: any Decoder) throws {
    self.region = try RegionObject(from: decoder)
    self.durable = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(
      DurableParameter.self, forKey: .durable)
  }

  public func encode(to encoder: any Encoder) throws {
    try self.region.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(self.durable, forKey: .durable)
  }

  public typealias Result = RegionResult
  public static let result = ResultDescription(
    "region", .reference(RegionResult.schemaName), "Where the device is with regard to it.")
}
