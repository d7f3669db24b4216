public import JSONRPC
public import Positioning

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
