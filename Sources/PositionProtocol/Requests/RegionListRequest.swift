public import JSONRPC
public import Positioning

/// Lists the regions of this connection or of a durable name, with their states.
public struct RegionListRequest: RequestType, WireObject, Hashable {
  public static let method = "region.list"
  public static let summary = "Lists the regions of this connection or of a durable name, with their states."
  public static let errors: [RPCError.Code] = [.notFound]

  /// The durable name to which they belong; if absent, those of this connection.
  public var durable: String?
  /// Lists regions that were added after the one with this id, to continue a long list.
  public var after: String?

  public init(durable: String? = nil, after: String? = nil) {
    self.durable = durable
    self.after = after
  }

  public static let wire = ObjectCodec<RegionListRequest>(blank: RegionListRequest()) {
    Field.optional(
      "durable", \.durable, .durableReference, example: ["name": "tracker"],
      "The durable name to which they belong; if absent, those of this connection.")
    Field.optional(
      "after", \.after, .string(maximumBytes: 128), example: "home",
      "Lists regions that were added after the one with this id, to continue a long list.")
  }

  /// Regions with their states.
  public struct Result: WireObject, Hashable {
    /// In the order in which they were added; as many as fit into one answer.
    public var regions: [RegionInfo]
    /// How many more follow; absent if the list is complete.
    public var omitted: Int?

    public init(regions: [RegionInfo], omitted: Int? = nil) {
      self.regions = regions
      self.omitted = omitted
    }

    public static let wire = ObjectCodec<Result>(blank: Result(regions: [])) {
      Field.required(
        "regions", \.regions, .array(of: RegionInfo.codec), example: [RegionInfo.example],
        "In the order in which they were added; as many as fit into one answer.")
      Field.optional(
        "omitted", \.omitted, .integer(minimum: 1), example: 250,
        "How many more follow; absent if the list is complete.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "Regions with their states.")
}
