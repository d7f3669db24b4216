public import JSONRPC
public import Positioning

/// Removes the decision for a user, who may then be asked again; for administrators.
public struct AdminRevokeRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.revoke"
  public static let summary =
    "Removes the decision for a user, who may then be asked again; for administrators."
  public static let errors: [RPCError.Code] = [.restricted, .notFound]

  /// The user's name or number.
  public var user: UserParameter

  public init(user: UserParameter) {
    self.user = user
  }

  public static let wire = ObjectCodec<AdminRevokeRequest>(blank: AdminRevokeRequest(user: .name(""))) {
    Field.required("user", \.user, UserParameter.codec, example: "ada", "The user's name or number.")
  }

  public typealias Result = Grant
  public static let result = ResultDescription("grant", Grant.wire.schema, "The removed decision.")
}
