import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension StatusGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<DaemonStatus> { .call { .status($0) } }

  /// Those who ask in the same turn get the same text.
  func message(answering id: RequestID, with status: DaemonStatus, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
  {
    OutgoingMessage.result(id: id, try context.writtenStatus.text(of: status, at: context.moment))
  }
}

extension StatusSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<SubscriptionAnswer> { .call { .subscribeStatus($0) } }
}
