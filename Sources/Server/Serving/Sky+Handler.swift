import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension SkyGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<Sky?> { .call { .sky($0) } }

  func result(of sky: Sky?, in context: AnswerContext) -> Result { Result(sky) }
}

extension SkySubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<SubscriptionAnswer> {
    .call { .subscribeSky(minInterval: self.minInterval, isPassive: self.isPassive, $0) }
  }
}
