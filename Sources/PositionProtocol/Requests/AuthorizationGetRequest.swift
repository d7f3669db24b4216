public import JSONRPC

/// Tells what the client may know.
public struct AuthorizationGetRequest: RequestType, Hashable {
  public static let method = "authorization.get"
  public static let summary = "Tells what the client may know."

  public init() {}

  public static let parameters: [FieldDescription] = []

  public typealias Result = AuthorizationObject
  public static let result = ResultDescription(
    "authorization", .reference(AuthorizationObject.schemaName), "What the client may know.")
}
