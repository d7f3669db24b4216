public import JSONRPC
public import Positioning

/// Lists what persons and administrators have decided; for administrators.
public struct AdminGrantsRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.grants"
  public static let summary = "Lists what persons and administrators have decided; for administrators."

  public init() {}

  public static let wire = ObjectCodec<AdminGrantsRequest>(blank: AdminGrantsRequest()) {}

  /// What is decided.
  public struct Result: WireObject, Hashable {
    /// In the order of the users' numbers.
    public var grants: [Grant]
    /// How many more there are; absent where all are listed.
    public var omitted: Int?

    public init(grants: [Grant], omitted: Int? = nil) {
      self.grants = grants
      self.omitted = omitted
    }

    public static let wire = ObjectCodec<Result>(blank: Result(grants: [])) {
      Field.required(
        "grants", \.grants, .array(of: Grant.codec), example: [Grant.example],
        "In the order of the users' numbers.")
      Field.optional(
        "omitted", \.omitted, .integer(minimum: 1), example: 12,
        "How many more there are; absent where all are listed.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "What is decided.")
}
