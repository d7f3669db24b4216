public import JSONRPC

/// Makes the client an agent: from then on the daemon puts questions to it, as requests.
public struct AgentRegisterRequest: RequestType, Hashable {
  public static let method = "agent.register"
  public static let summary = "Makes the client an agent: from then on the daemon puts questions to it, as requests."
  public static let isAllowedInBatch = false

  public init() {}

  public static let parameters: [FieldDescription] = []

  /// That the client is an agent.
  public struct Result: DescribedObject {
    /// Always true: a client that may not be an agent gets an error.
    public var isRegistered: Bool

    public init(isRegistered: Bool = true) {
      self.isRegistered = isRegistered
    }

    private enum CodingKeys: String, CodingKey {
      case isRegistered = "ok"
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "ok", .boolean, example: true,
        "Always true: a client that may not be an agent gets an error.")
    ]
  }

  public static let result = ResultDescription("result", .object(Result.fields), "That the client is an agent.")
}
