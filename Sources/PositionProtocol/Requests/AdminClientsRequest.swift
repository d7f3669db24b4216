public import JSONRPC

/// Lists who is connected, what each may know and how much it asks for; for administrators.
public struct AdminClientsRequest: RequestType, Hashable {
  public static let method = "admin.clients"
  public static let summary = "Lists who is connected, what each may know and how much it asks for; for administrators."

  public init() {}

  public static let parameters: [FieldDescription] = []

  /// Who is connected.
  public struct Result: DescribedObject {
    /// In the order in which they connected.
    public var clients: [ClientObject]
    /// How many more there are; absent where all are listed.
    public var omitted: Int?

    public init(clients: [ClientObject], omitted: Int? = nil) {
      self.clients = clients
      self.omitted = omitted
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "clients", .array(.reference(ClientObject.schemaName)), example: [DescribedExample.of(ClientObject.self)],
        "In the order in which they connected."),
      FieldDescription(
        "omitted", .integer(minimum: 1), .optional, example: 12,
        "How many more there are; absent where all are listed."),
    ]
  }

  public static let result = ResultDescription("result", .object(Result.fields), "Who is connected.")
}
