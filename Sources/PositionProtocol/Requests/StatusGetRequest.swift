public import JSONRPC

/// Tells how the daemon and its receiver do.
public struct StatusGetRequest: RequestType, Hashable {
  public static let method = "status.get"
  public static let summary = "Tells how the daemon and its receiver do."

  public init() {}

  public static let parameters: [FieldDescription] = []

  public typealias Result = StatusObject
  public static let result = ResultDescription(
    "status", .reference(StatusObject.schemaName), "How the daemon and its receiver do.")
}
