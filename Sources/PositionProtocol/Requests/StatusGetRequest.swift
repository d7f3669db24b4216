public import JSONRPC
public import Positioning

/// Returns the status of the daemon and its receiver.
public struct StatusGetRequest: RequestType, WireObject, Hashable {
  public static let method = "status.get"
  public static let summary = "Returns the status of the daemon and its receiver."
  public static let usual: Set<String> = ["demand", "lastFix"]

  public init() {}

  public static let wire = ObjectCodec<StatusGetRequest>(blank: StatusGetRequest()) {}

  public typealias Result = DaemonStatus
  public static let result = ResultDescription(
    "status", DaemonStatus.wire.schema, "The status of the daemon and its receiver.")
}
