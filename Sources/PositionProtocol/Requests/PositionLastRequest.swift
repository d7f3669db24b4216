public import JSONRPC
public import Positioning

/// Returns the newest fix, and never turns the receiver on.
public struct PositionLastRequest: RequestType, WireObject, Hashable {
  public static let method = "position.last"
  public static let summary = "Returns the newest fix, and never turns the receiver on."
  public static let errors: [RPCError.Code] = .permission
  public static let usual: Set<String> = ["fix", "achievedAccuracy"]

  public init() {}

  public static let wire = ObjectCodec<PositionLastRequest>(blank: PositionLastRequest()) {}

  public typealias Result = LastFix
  public static let result = ResultDescription("result", LastFix.wire.schema, "The newest fix.")
}
