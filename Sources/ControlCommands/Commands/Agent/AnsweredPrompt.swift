import PositionProtocol

/// A question and its answer, as `positionctl agent` prints it.
struct AnsweredPrompt: Hashable, Encodable {
  let principal: PrincipalObject
  let decision: AgentAuthorizeRequest.Decision
  /// What is granted; absent with a no.
  let level: AuthorizationObject.Level?
  let precision: AuthorizationObject.Precision?
  let remember: Bool

  init(_ prompt: AgentAuthorizeRequest, _ answer: PromptAnswer) {
    self.principal = prompt.principal
    self.decision = answer.isAllowed ? .allow : .deny
    self.level = answer.isAllowed ? answer.level : nil
    self.precision = answer.isAllowed ? answer.precision : nil
    self.remember = answer.isRemembered
  }
}
