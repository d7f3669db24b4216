import JSONRPC
import PositionProtocol
import Positioning

extension SubscriptionCommand {
  /// Whether the subscription is paused afterwards; `nil`: unchanged.
  var pauses: Bool? {
    switch self {
    case .pause: true
    case .resume: false
    case .acquire, .flush: nil
    }
  }
}

extension DaemonConnection {
  /// Sends the command to a subscription of this connection.
  func send(
    _ subscription: Int, _ command: SubscriptionCommand, then handler: @escaping AnswerHandler<SubscriptionResult>
  ) {
    let target = SubscriptionTarget.subscription(subscription)
    switch command {
    case .pause: self.request(SubscriptionPauseRequest(target), then: handler)
    case .resume: self.request(SubscriptionResumeRequest(target), then: handler)
    case .acquire: self.request(SubscriptionAcquireRequest(target), then: handler)
    case .flush: self.request(SubscriptionFlushRequest(target), then: handler)
    }
  }
}
