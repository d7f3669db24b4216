import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension AuthorizationGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<Authorization> { .call { .authorization($0) } }
}

extension AuthorizationRequestRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<Authorization> {
    .call { .requestAuthorization(self.request, $0) }
  }
}
