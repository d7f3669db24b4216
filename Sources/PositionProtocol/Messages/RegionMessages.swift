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

/// A request about one region of the connection or of a durable name.
public protocol RegionReferenceRequest: RequestType, WireObject, Hashable where Result == RegionResult {
  /// The region's id.
  var id: String { get set }
  /// The durable name to which it belongs; if absent, it belongs to this connection.
  var durable: String? { get set }

  init(id: String, durable: String?)
}

extension RegionReferenceRequest {
  fileprivate static func table(
    _ id: FieldPath<Self, String>, _ durable: FieldPath<Self, String?>
  ) -> ObjectCodec<Self> {
    ObjectCodec<Self>(blank: Self(id: "", durable: nil)) {
      Field.required("id", id, .string(maximumBytes: 128), example: "home", "The region's id.")
      Field.optional(
        "durable", durable, .durableReference, example: ["name": "tracker"],
        "The durable name to which it belongs; if absent, it belongs to this connection.")
    }
  }
}

/// Stops watching a region.
public struct RegionRemoveRequest: RegionReferenceRequest {
  public static let method = "region.remove"
  public static let summary = "Stops watching a region."
  public static let errors: [RPCError.Code] = [.notFound]
  public static let wire = Self.table(\.id, \.durable)

  public var id: String
  public var durable: String?

  public init(id: String, durable: String? = nil) {
    self.id = id
    self.durable = durable
  }

  public static let result = ResultDescription(
    "region", RegionResult.wire.schema, "The last state of the region.")
}

/// Returns the state of a region.
public struct RegionStateRequest: RegionReferenceRequest {
  public static let method = "region.state"
  public static let summary = "Returns the state of a region."
  public static let errors: [RPCError.Code] = .permission + [.notFound]
  public static let wire = Self.table(\.id, \.durable)

  public var id: String
  public var durable: String?

  public init(id: String, durable: String? = nil) {
    self.id = id
    self.durable = durable
  }

  public static let result = ResultDescription("region", RegionResult.wire.schema, "The state of the region.")
}

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

/// The state of one region.
public struct RegionResult: WireObject, Hashable {
  /// Where the device is, as decided by the fixes.
  public var state: RegionState
  /// A warning about the accepted region.
  public var warning: String?

  public init(state: RegionState, warning: String? = nil) {
    self.state = state
    self.warning = warning
  }

  public static let wire = ObjectCodec<RegionResult>("RegionResult", blank: RegionResult(state: .fallback)) {
    Field.required(
      "state", \.state, RegionState.codec, example: "outside",
      "Where the device is, as decided by the fixes.")
    Field.optional(
      "warning", \.warning, .string, example: "smaller than most fixes are accurate",
      "A warning about the accepted region.")
  }
}

/// An event of a region. On the wire the event's members stand beside the durable name and the event's number.
public struct RegionEventNotification: NotificationType, WireObject, Hashable {
  public static let method = "region.event"
  public static let summary = "An event of a region."

  public var event: RegionEvent
  /// The durable name to which it belongs.
  public var durable: String?
  /// The number with which to acknowledge the event, if it is durable.
  public var eventId: Int?

  public init(_ event: RegionEvent, durable: String? = nil, eventId: Int? = nil) {
    self.event = event
    self.durable = durable
    self.eventId = eventId
  }

  public static let wire = ObjectCodec<RegionEventNotification>(
    blank: RegionEventNotification(RegionEvent.wire.blank)
  ) {
    let event = RegionEvent.wire.fields(within: \RegionEventNotification.event)
    Array(event.prefix(1))
    UpdateSource.durable(\.durable)
    UpdateSource.eventId(\.eventId)
    Array(event.dropFirst())
  }
}
