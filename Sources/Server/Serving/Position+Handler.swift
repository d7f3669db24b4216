import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension PositionGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.getFix(self.request)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .fix(let result) = answer else { return self.unexpected(answer, in: context) }
    return .success(result)
  }
}

extension PositionLastRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.lastFix) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .lastFix(let last) = answer else { return self.unexpected(answer, in: context) }
    return .success(last)
  }
}

extension PositionSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) throws(RPCError) -> Handling {
    do throws(InvalidParameter) {
      return .call(.subscribe(try self.parameters, durable: self.durable))
    } catch {
      throw .invalidParameter(path: error.parameter, found: error.found, expected: error.expected)
    }
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}
