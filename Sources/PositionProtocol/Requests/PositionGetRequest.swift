public import JSONRPC
public import Positioning

/// Gets one fix: at once if a cached one is good enough, else within the timeout.
public struct PositionGetRequest: RequestType, WireObject, Hashable {
  public static let method = "position.get"
  public static let summary = "Gets one fix: at once if a cached one is good enough, else within the timeout."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.requestCancelled]
  public static let usual: Set<String> = ["accuracy", "timeout", "fix", "achievedAccuracy"]

  public var request: FixRequest

  public init(_ request: FixRequest = FixRequest()) { self.request = request }

  public static let wire = ObjectCodec<PositionGetRequest>(blank: PositionGetRequest()) {
    FixRequest.wire.fields(within: \PositionGetRequest.request)
  }

  public typealias Result = FixResult
  public static let result = ResultDescription("result", FixResult.wire.schema, "The fix, and how good it is.")
}
