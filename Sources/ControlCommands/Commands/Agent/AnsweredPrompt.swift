import JSONRPC
import PositionProtocol

/// A question and its answer, as `positionctl agent` prints it.
struct AnsweredPrompt: Hashable, WireValue {
  let principal: PrincipalObject
  /// What is granted is absent with a no.
  let answer: AgentAuthorizeRequest.Result

  init(_ prompt: AgentAuthorizeRequest, _ answer: PromptAnswer) {
    self.principal = prompt.principal
    self.answer = AgentAuthorizeRequest.Result(
      decision: answer.isAllowed ? .allow : .deny, level: answer.isAllowed ? answer.level : nil,
      precision: answer.isAllowed ? answer.precision : nil, remember: answer.isRemembered)
  }

  /// The answer's members beside the principal; only ever written.
  static let codec: Codec<AnsweredPrompt> = .written { prompt, writer in
    writer.key("principal")
    PrincipalObject.wire.write(prompt.principal, &writer)
    AgentAuthorizeRequest.Result.wire.writeMembers(of: prompt.answer, &writer)
  }
}
