public import JSONRPC

/// Tells the satellites that the receiver saw last.
public struct SkyGetRequest: RequestType, WireObject, Hashable {
  public static let method = "sky.get"
  public static let summary = "Tells the satellites that the receiver saw last."

  public init() {}

  public static let wire = ObjectCodec<SkyGetRequest>(blank: SkyGetRequest()) {}

  public typealias Result = SkyObject
  public static let result = ResultDescription(
    "sky", SkyObject.wire.schema, "The satellites; empty where the receiver has told nothing.")
}
