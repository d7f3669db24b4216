import JSONRPC
import PositionProtocol

/// What a program can make a subscription do.
enum SubscriptionCommand: Hashable, Sendable {
  case pause
  case resume
  case acquire
  case flush

  /// Whether the subscription is paused afterwards; `nil`: as before.
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
  func steer(
    _ subscription: Int, _ order: SubscriptionCommand, then handler: @escaping AnswerHandler<SubscriptionResult>
  ) {
    switch order {
    case .pause: self.request(SubscriptionPauseRequest(subscription: subscription), then: handler)
    case .resume: self.request(SubscriptionResumeRequest(subscription: subscription), then: handler)
    case .acquire: self.request(SubscriptionAcquireRequest(subscription: subscription), then: handler)
    case .flush: self.request(SubscriptionFlushRequest(subscription: subscription), then: handler)
    }
  }
}
