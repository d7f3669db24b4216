public import JSONRPC
public import Positioning

/// Lists the connected clients, what each may know and what it has open; for administrators.
public struct AdminClientsRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.clients"
  public static let summary =
    "Lists the connected clients, what each may know and what it has open; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]

  public init() {}

  public static let wire = ObjectCodec<AdminClientsRequest>(blank: AdminClientsRequest()) {}

  /// The connected clients.
  public struct Result: WireObject, Hashable {
    /// In the order in which they connected.
    public var clients: [ClientInfo]
    /// How many are not listed; absent if all are.
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
        "How many are not listed; absent if all are.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "The connected clients.")
}
