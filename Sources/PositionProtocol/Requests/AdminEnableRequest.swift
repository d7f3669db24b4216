public import JSONRPC

/// Turns the master switch on; for administrators.
public struct AdminEnableRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.enable"
  public static let summary = "Turns the master switch on; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]

  public init() {}

  public static let wire = ObjectCodec<AdminEnableRequest>(blank: AdminEnableRequest()) {}

  public typealias Result = EnabledResult
  public static let result = ResultDescription(
    "enabled", EnabledResult.wire.schema, "Whether positions are turned on.")
}
