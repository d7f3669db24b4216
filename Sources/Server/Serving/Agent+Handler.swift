import Broker
import JSONRPC
import PositionProtocol

extension AgentRegisterRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<AgentAnswer> { .call { .registerAgent($0) } }

  func result(of value: AgentAnswer, in context: AnswerContext) -> Result { Result() }
}
