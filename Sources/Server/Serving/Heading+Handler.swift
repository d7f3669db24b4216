import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension HeadingGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<HeadingResult> { .call { .getHeading(self.request, $0) } }
}

extension HeadingSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<SubscriptionAnswer> {
    .call { .subscribeHeading(self.parameters, $0) }
  }
}
