public import JSONRPC

/// Lists the regions of this connection or of a durable name, with their states.
public struct RegionListRequest: RequestType, Hashable {
  public static let method = "region.list"
  public static let summary = "Lists the regions of this connection or of a durable name, with their states."

  /// The name that they belong to; absent, this connection.
  public var durable: DurableNameParameter?
  /// Lists those that were added after the region of this id: how a long list goes on.
  public var after: String?

  public init(durable: DurableNameParameter? = nil, after: String? = nil) {
    self.durable = durable
    self.after = after
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "durable", .object(DurableNameParameter.fields), .optional,
      example: DescribedExample.of(DurableNameParameter.self),
      "The name that they belong to; absent, this connection."),
    FieldDescription(
      "after", .string(maximumBytes: 128), .optional, example: "home",
      "Lists those that were added after the region of this id: how a long list goes on."),
  ]

  /// Regions with their states.
  public struct Result: DescribedObject {
    /// In the order in which they were added; so many as fit into one answer.
    public var regions: [WatchedRegionObject]
    /// How many more there are; absent where the last is listed.
    public var omitted: Int?

    public init(regions: [WatchedRegionObject], omitted: Int? = nil) {
      self.regions = regions
      self.omitted = omitted
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "regions", .array(.reference(WatchedRegionObject.schemaName)),
        example: [DescribedExample.of(WatchedRegionObject.self)],
        "In the order in which they were added; so many as fit into one answer."),
      FieldDescription(
        "omitted", .integer(minimum: 1), .optional, example: 250,
        "How many more there are; absent where the last is listed."),
    ]
  }

  public static let result = ResultDescription("result", .object(Result.fields), "Regions with their states.")
}
