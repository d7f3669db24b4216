public import JSONRPC

/// Makes the client an agent, to which the daemon sends prompts as requests.
public struct AgentRegisterRequest: RequestType, WireObject, Hashable {
  public static let method = "agent.register"
  public static let summary = "Makes the client an agent, to which the daemon sends prompts as requests."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = [.restricted]

  public init() {}

  public static let wire = ObjectCodec<AgentRegisterRequest>(blank: AgentRegisterRequest()) {}

  /// Confirms that the client is an agent.
  public struct Result: WireObject, Hashable {
    /// Always true: a client that may not be an agent gets an error.
    public var isRegistered: Bool

    public init(isRegistered: Bool = true) {
      self.isRegistered = isRegistered
    }

    public static let wire = ObjectCodec<Result>(blank: Result()) {
      Field.required(
        "ok", \.isRegistered, .boolean, example: true,
        "Always true: a client that may not be an agent gets an error.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "Confirms that the client is an agent.")
}
