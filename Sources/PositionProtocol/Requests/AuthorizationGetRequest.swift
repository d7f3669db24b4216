public import JSONRPC

/// Tells what the client may know.
public struct AuthorizationGetRequest: RequestType, WireObject, Hashable {
  public static let method = "authorization.get"
  public static let summary = "Tells what the client may know."

  public init() {}

  public static let wire = ObjectCodec<AuthorizationGetRequest>(blank: AuthorizationGetRequest()) {}

  public typealias Result = AuthorizationObject
  public static let result = ResultDescription(
    "authorization", AuthorizationObject.wire.schema, "What the client may know.")
}
