import Broker
import JSONRPC
import PositionProtocol

extension VisitSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<SubscriptionAnswer> {
    .call { .subscribeVisits(durable: self.durable, $0) }
  }
}
