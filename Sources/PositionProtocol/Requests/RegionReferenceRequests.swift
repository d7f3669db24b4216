public import JSONRPC

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
