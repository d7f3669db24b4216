public import JSONRPC
public import Positioning

/// Tells how the daemon and its receiver do.
public struct StatusGetRequest: RequestType, WireObject, Hashable {
  public static let method = "status.get"
  public static let summary = "Tells how the daemon and its receiver do."

  public init() {}

  public static let wire = ObjectCodec<StatusGetRequest>(blank: StatusGetRequest()) {}

  public typealias Result = DaemonStatus
  public static let result = ResultDescription(
    "status", DaemonStatus.wire.schema, "How the daemon and its receiver do.")
}
