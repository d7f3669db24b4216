public import JSONRPC
public import Positioning

/// Lists who is connected, what each may know and how much it asks for; for administrators.
public struct AdminClientsRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.clients"
  public static let summary = "Lists who is connected, what each may know and how much it asks for; for administrators."

  public init() {}

  public static let wire = ObjectCodec<AdminClientsRequest>(blank: AdminClientsRequest()) {}

  /// Who is connected.
  public struct Result: WireObject, Hashable {
    /// In the order in which they connected.
    public var clients: [ClientInfo]
    /// How many more there are; absent where all are listed.
    public var omitted: Int?

    public init(clients: [ClientInfo], omitted: Int? = nil) {
      self.clients = clients
      self.omitted = omitted
    }

    public static let wire = ObjectCodec<Result>(blank: Result(clients: [])) {
      Field.required(
        "clients", \.clients, .array(of: ClientInfo.codec), example: [ClientInfo.example],
        "In the order in which they connected.")
      Field.optional(
        "omitted", \.omitted, .integer(minimum: 1), example: 12,
        "How many more there are; absent where all are listed.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "Who is connected.")
}
