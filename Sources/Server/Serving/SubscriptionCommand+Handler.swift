import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension RequestHandler where Self: SubscriptionCommandRequest {
  func handle(in context: ServeContext) -> Handling<SubscriptionAnswer> {
    switch self.target {
    case .subscription(let number): .call { .commandSubscription(number: number, Self.command, $0) }
    case .durable(let name): .call { .commandDurable(name: name, Self.command, $0) }
    }
  }
}

extension SubscriptionPauseRequest: RequestHandler {}
extension SubscriptionResumeRequest: RequestHandler {}
extension SubscriptionAcquireRequest: RequestHandler {}
extension SubscriptionFlushRequest: RequestHandler {}
