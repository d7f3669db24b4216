public import JSONRPC

/// Turns the master switch on; for administrators.
public struct AdminEnableRequest: RequestType, Hashable {
  public static let method = "admin.enable"
  public static let summary = "Turns the master switch on; for administrators."

  public init() {}

  public static let parameters: [FieldDescription] = []

  public typealias Result = EnabledResult
  public static let result = ResultDescription(
    "enabled", .reference(EnabledResult.schemaName), "Whether anybody may know the position.")
}
