import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension AgentRegisterRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.registerAgent) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .agentRegistered = answer else { return self.unexpected(answer, in: context) }
    return .success(Result())
  }
}

extension AgentAuthorizeRequest {
  init(_ prompt: Prompt) {
    self.init(
      principal: PrincipalObject(prompt.principal), level: AuthorizationObject.Level(prompt.level),
      precision: AuthorizationObject.Precision(prompt.precision), expiresIn: prompt.expiresIn.wireSeconds)
  }
}

extension PromptAnswer {
  init(_ result: AgentAuthorizeRequest.Result) {
    let isAllowed =
      switch result.decision {
      case .allow: true
      case .deny: false
      }
    self.init(
      isAllowed: isAllowed, level: result.level.map { AuthorizationLevel($0) },
      precision: result.precision.map { Precision($0) }, isRemembered: result.remember ?? true)
  }
}
