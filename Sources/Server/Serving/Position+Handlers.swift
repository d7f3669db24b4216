import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension PositionGetRequest: RequestHandler {
  func handle() -> Handling<FixResult> { .call { .getFix(self.request, $0) } }
}

extension PositionLastRequest: RequestHandler {
  func handle() -> Handling<LastFix> { .call { .lastFix($0) } }
}

extension PositionSubscribeRequest: RequestHandler {
  func handle() throws(RPCError) -> Handling<SubscriptionAnswer> {
    do throws(InvalidParameter) {
      let parameters = try self.parameters
      return .call { .subscribe(parameters, durable: self.durable, $0) }
    } catch {
      throw .invalidParameter(path: error.parameter, found: error.found, expected: error.expected)
    }
  }
}

extension SkyGetRequest: RequestHandler {
  func handle() -> Handling<Sky?> { .call { .sky($0) } }

  func result(of sky: Sky?, in context: AnswerContext) -> Result { Result(sky) }
}

extension SkySubscribeRequest: RequestHandler {
  func handle() -> Handling<SubscriptionAnswer> {
    .call { .subscribeSky(minInterval: self.minInterval, isPassive: self.isPassive, $0) }
  }
}

extension HeadingGetRequest: RequestHandler {
  func handle() -> Handling<HeadingResult> { .call { .getHeading(self.request, $0) } }
}

extension HeadingSubscribeRequest: RequestHandler {
  func handle() -> Handling<SubscriptionAnswer> {
    .call { .subscribeHeading(self.parameters, $0) }
  }
}

extension VisitSubscribeRequest: RequestHandler {
  func handle() -> Handling<SubscriptionAnswer> {
    .call { .subscribeVisits(durable: self.durable, $0) }
  }
}
