public import JSONRPC

/// Turns the master switch off: nobody gets a position until it is on again; for administrators.
public struct AdminDisableRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.disable"
  public static let summary =
    "Turns the master switch off: nobody gets a position until it is on again; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]

  public init() {}

  public static let wire = ObjectCodec<AdminDisableRequest>(blank: AdminDisableRequest()) {}

  public typealias Result = EnabledResult
  public static let result = ResultDescription(
    "enabled", EnabledResult.wire.schema, "Whether positions are turned on.")
}
