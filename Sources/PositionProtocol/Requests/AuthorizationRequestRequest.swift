public import JSONRPC
public import Positioning

/// Requests permission: a person is asked if no rule decides and an agent is attached.
public struct AuthorizationRequestRequest: RequestType, WireObject, Hashable {
  public static let method = "authorization.request"
  public static let summary = "Requests permission: a person is asked if no rule decides and an agent is attached."
  public static let isAllowedInBatch = false
  public static let usual: Set<String> = ["level"]

  /// The requested level and precision.
  public var request: AuthorizationRequest

  public init(_ request: AuthorizationRequest = AuthorizationRequest()) {
    self.request = request
  }

  public static let wire = ObjectCodec<AuthorizationRequestRequest>(blank: AuthorizationRequestRequest()) {
    AuthorizationRequest.wire.fields(within: \AuthorizationRequestRequest.request)
  }

  public typealias Result = Authorization
  public static let result = ResultDescription(
    "authorization", Authorization.wire.schema, "What the client may know now.")
}
