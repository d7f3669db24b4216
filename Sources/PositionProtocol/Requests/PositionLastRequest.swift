public import JSONRPC
public import Positioning

/// Tells the newest fix, and never turns the receiver on.
public struct PositionLastRequest: RequestType, WireObject, Hashable {
  public static let method = "position.last"
  public static let summary = "Tells the newest fix, and never turns the receiver on."

  public init() {}

  public static let wire = ObjectCodec<PositionLastRequest>(blank: PositionLastRequest()) {}

  public typealias Result = LastFix
  public static let result = ResultDescription("result", LastFix.wire.schema, "The newest fix.")
}
