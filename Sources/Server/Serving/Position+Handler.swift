import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension PositionGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<FixResult> { .call { .getFix(self.request, $0) } }
}

extension PositionLastRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<LastFix> { .call { .lastFix($0) } }
}

extension PositionSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) throws(RPCError) -> Handling<SubscriptionAnswer> {
    do throws(InvalidParameter) {
      let parameters = try self.parameters
      return .call { .subscribe(parameters, durable: self.durable, $0) }
    } catch {
      throw .invalidParameter(path: error.parameter, found: error.found, expected: error.expected)
    }
  }
}
