public import JSONRPC
public import Positioning

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

/// From the daemon to an agent: asks a person whether a program may know the position.
///
/// The daemon cancels a prompt that needs no answer any more with `$/cancelRequest`.
public struct AgentAuthorizeRequest: RequestType, WireObject, Hashable {
  public static let method = "agent.authorize"
  public static let summary = "From the daemon to an agent: asks a person whether a program may know the position."
  public static let isAllowedInBatch = false

  /// The program that asks, and what it asks for.
  public var prompt: PermissionPrompt

  public init(_ prompt: PermissionPrompt) {
    self.prompt = prompt
  }

  public static let wire = ObjectCodec<AgentAuthorizeRequest>(
    blank: AgentAuthorizeRequest(PermissionPrompt.wire.blank)
  ) {
    PermissionPrompt.wire.fields(within: \AgentAuthorizeRequest.prompt)
  }

  public typealias Result = PromptAnswer
  public static let result = ResultDescription("result", PromptAnswer.wire.schema, "The person's answer.")
}
