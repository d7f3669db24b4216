public import JSONRPC
public import Positioning

/// Grants or denies a user permission, as the user's answer to a prompt would; for administrators.
public struct AdminGrantRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.grant"
  public static let summary =
    "Grants or denies a user permission, as the user's answer to a prompt would; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]
  public static let usual: Set<String> = ["precision"]

  /// The user's name or number.
  public var user: UserParameter
  /// What all programs of the user may have; `nil`: nothing.
  public var level: AuthorizationLevel?
  /// How precisely they may know the position; not allowed with deny.
  public var precision: Precision

  public init(user: UserParameter, level: AuthorizationLevel?, precision: Precision = .precise) {
    self.user = user
    self.level = level
    self.precision = precision
  }

  public static let wire = ObjectCodec<AdminGrantRequest>(
    blank: AdminGrantRequest(user: .name(""), level: nil)
  ) {
    Field.required("user", \.user, UserParameter.codec, example: "ada", "The user's name or number.")
    Field.required(
      "level", \.level, .granted, example: "whenInUse",
      "The level for all programs of the user.")
    Field.defaulted(
      "precision", \.precision, Precision.codec, example: "reduced",
      "How precisely they may know the position; not allowed with deny."
    ).when { $0.level != nil }
  } check: { (request: inout AdminGrantRequest, view: JSONView) throws(CodingFailure) in
    guard request.level == nil, !(view["precision"]?.isNull ?? true) else { return }
    throw CodingFailure(
      path: "precision", .found("set with level deny", expected: "level whenInUse or always with it"))
  }

  public typealias Result = Grant
  public static let result = ResultDescription("grant", Grant.wire.schema, "The decision now.")
}
