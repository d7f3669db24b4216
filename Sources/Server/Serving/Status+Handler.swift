import Broker
import JSONRPC
import PositionProtocol

extension StatusGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.status) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .status(let status) = answer else { return self.unexpected(answer, in: context) }
    do throws(JSONWriter.NoJSON) {
      guard let written = context.writtenStatus else { return .success(status) }
      return .success(try written.text(of: status, at: context.moment))
    } catch {
      // The client itself gets the same error.
      return .success(status)
    }
  }
}

extension StatusSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.subscribeStatus) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}
