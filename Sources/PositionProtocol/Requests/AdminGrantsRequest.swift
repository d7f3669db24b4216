public import JSONRPC
public import Positioning

/// Lists the decisions of persons and administrators; for administrators.
public struct AdminGrantsRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.grants"
  public static let summary = "Lists the decisions of persons and administrators; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]

  public init() {}

  public static let wire = ObjectCodec<AdminGrantsRequest>(blank: AdminGrantsRequest()) {}

  /// The decisions.
  public struct Result: WireObject, Hashable {
    /// In the order of the users' numbers.
    public var grants: [Grant]
    /// How many are not listed; absent if all are.
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
        "How many are not listed; absent if all are.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "The decisions.")
}
