package import JSONRPC
package import PositionProtocol
package import Positioning

/// A request that makes a subscription.
package protocol SubscribingRequest: RequestType {
  associatedtype Cancellation: RequestType

  /// The address of its notifications.
  func recipient(_ answer: Result) -> Recipient?
  /// The request that ends it; `nil` if none is needed.
  func cancellation(_ recipient: Recipient) -> Cancellation?

  /// The newest event's number of the name it attaches to; `nil` for events without numbers.
  func lastEvent(_ answer: Result) -> Int?

  /// The duration that the program requested.
  var lifetime: Duration? { get }
  /// The request for the remaining updates; `nil` if nothing is left.
  func remaining(after past: DeliveryProgress, now: Instant) -> Self?
  /// Whether it has delivered all that was requested.
  func isComplete(after past: DeliveryProgress) -> Bool
}

/// Most subscriptions last until they are left, and are made again unchanged.
extension SubscribingRequest {
  package func lastEvent(_ answer: Result) -> Int? { nil }
  package var lifetime: Duration? { nil }
  package func remaining(after past: DeliveryProgress, now: Instant) -> Self? { self }
  package func isComplete(after past: DeliveryProgress) -> Bool { false }
}

extension SubscribingRequest where Result == SubscriptionResult {
  package func recipient(_ answer: SubscriptionResult) -> Recipient? { Recipient(subscription: answer.subscription) }

  package func cancellation(_ recipient: Recipient) -> SubscriptionCancelRequest? {
    switch recipient {
    case .subscription(let number): SubscriptionCancelRequest(subscription: number)
    case .region, .durable: nil
    }
  }
}

extension HeadingSubscribeRequest: SubscribingRequest {}
extension SkySubscribeRequest: SubscribingRequest {}
extension StatusSubscribeRequest: SubscribingRequest {}
extension VisitSubscribeRequest: SubscribingRequest {}

extension DurableAttachRequest: SubscribingRequest {
  package func recipient(_ answer: DurableInfo) -> Recipient? { .durable(answer.name) }
  package func lastEvent(_ answer: DurableInfo) -> Int? { Int(clamping: answer.lastEvent) }

  /// The connection stays attached to the name; its events wait here for the next loop.
  package func cancellation(_ recipient: Recipient) -> SubscriptionCancelRequest? { nil }

  package func remaining(after past: DeliveryProgress, now: Instant) -> Self? { DurableAttachRequest(name: self.name) }
}

extension PositionSubscribeRequest: SubscribingRequest {
  package var lifetime: Duration? { self.asked.duration?.bounded }

  private var maxUpdates: Int? { self.asked.maxUpdates }

  package func isComplete(after past: DeliveryProgress) -> Bool {
    self.maxUpdates.map { past.updates >= $0 } ?? false
  }

  package func remaining(after past: DeliveryProgress, now: Instant) -> Self? {
    guard !self.isComplete(after: past) else { return nil }
    var request = self
    if let maxUpdates {
      // One more, because the first fix may be one that was delivered before, and is then dropped.
      request.asked.maxUpdates = (maxUpdates - past.updates)
        .plus(self.asked.replay == SubscriptionParameters.Replay.none ? 0 : 1)
    }
    if let lifetime, let begun = past.begun {
      let left = lifetime - (now - begun)
      guard left > .zero else { return nil }
      // The daemon accepts no shorter duration.
      request.asked.duration = max(.milliseconds(100), left)
    }
    return request
  }
}
