public import JSONRPC
public import Positioning

/// Asks for permission: a person is asked where no rule decides and an agent is there.
public struct AuthorizationRequestRequest: RequestType, WireObject, Hashable {
  public static let method = "authorization.request"
  public static let summary = "Asks for permission: a person is asked where no rule decides and an agent is there."
  public static let isAllowedInBatch = false

  /// What is asked for.
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
