import Broker
import JSONRPC
import PositionProtocol

extension StatusGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.status) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .status(let status) = answer else { return self.unexpected(answer, in: context) }
    return .success(status)
  }

  /// Those who ask in the same turn get the same text.
  func message(answering id: RequestID, with answer: Answer, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
  {
    switch Self.result(of: answer, in: context) {
    case .success(let status):
      OutgoingMessage.result(id: id, try context.writtenStatus.text(of: status, at: context.moment))
    case .failure(let error): OutgoingMessage.error(id: id, error)
    }
  }
}

extension StatusSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.subscribeStatus) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}
