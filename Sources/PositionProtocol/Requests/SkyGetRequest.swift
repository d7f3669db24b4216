public import JSONRPC

/// Tells the satellites that the receiver saw last.
public struct SkyGetRequest: RequestType, Hashable {
  public static let method = "sky.get"
  public static let summary = "Tells the satellites that the receiver saw last."

  public init() {}

  public static let parameters: [FieldDescription] = []

  public typealias Result = SkyObject
  public static let result = ResultDescription(
    "sky", .reference(SkyObject.schemaName), "The satellites; empty where the receiver has told nothing.")
}
