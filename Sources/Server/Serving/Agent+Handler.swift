import Broker
import JSONRPC
import PositionProtocol

extension AgentRegisterRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.registerAgent) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .agentRegistered = answer else { return self.unexpected(answer, in: context) }
    return .success(Result())
  }
}
