public import JSONRPC
public import Positioning

/// Returns what the client may know.
public struct AuthorizationGetRequest: RequestType, WireObject, Hashable {
  public static let method = "authorization.get"
  public static let summary = "Returns what the client may know."

  public init() {}

  public static let wire = ObjectCodec<AuthorizationGetRequest>(blank: AuthorizationGetRequest()) {}

  public typealias Result = Authorization
  public static let result = ResultDescription(
    "authorization", Authorization.wire.schema, "What the client may know.")
}
