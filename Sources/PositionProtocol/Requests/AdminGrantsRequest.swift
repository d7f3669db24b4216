public import JSONRPC

/// Lists what persons and administrators have decided; for administrators.
public struct AdminGrantsRequest: RequestType, Hashable {
  public static let method = "admin.grants"
  public static let summary = "Lists what persons and administrators have decided; for administrators."

  public init() {}

  public static let parameters: [FieldDescription] = []

  /// What is decided.
  public struct Result: DescribedObject {
    /// In the order of the users' numbers.
    public var grants: [GrantObject]
    /// How many more there are; absent where all are listed.
    public var omitted: Int?

    public init(grants: [GrantObject], omitted: Int? = nil) {
      self.grants = grants
      self.omitted = omitted
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "grants", .array(.reference(GrantObject.schemaName)), example: [DescribedExample.of(GrantObject.self)],
        "In the order of the users' numbers."),
      FieldDescription(
        "omitted", .integer(minimum: 1), .optional, example: 12,
        "How many more there are; absent where all are listed."),
    ]
  }

  public static let result = ResultDescription("result", .object(Result.fields), "What is decided.")
}
