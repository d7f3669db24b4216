package import JSONRPC
package import PositionProtocol
package import Positioning

/// A request that makes a subscription.
package protocol SubscribingRequest: RequestType {
  associatedtype Cancellation: RequestType

  /// What the daemon's notifications for it are known by.
  func recipient(_ answer: Result) -> Recipient?
  /// The request that ends it; `nil` where leaving it does not.
  func cancellation(_ recipient: Recipient) -> Cancellation?

  /// The number of the newest event of what it attaches to; `nil` where it has no numbered events.
  func lastEvent(_ answer: Result) -> Int?

  /// How long it lasts, by its own will.
  var lifetime: Duration? { get }
  /// The request that makes it again for what it has not had yet; `nil` where nothing is left.
  func remaining(after past: DeliveryProgress, now: Instant) -> Self?
  /// Whether it has had all that it asked for.
  func isComplete(after past: DeliveryProgress) -> Bool
}

/// Most last until they are left, and are made again as they were.
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
  package func recipient(_ answer: DurableObject) -> Recipient? { .durable(answer.durable) }
  package func lastEvent(_ answer: DurableObject) -> Int? { answer.lastEvent }

  /// The connection stays attached to the name, and what comes waits there for the next loop.
  package func cancellation(_ recipient: Recipient) -> SubscriptionCancelRequest? { nil }

  package func remaining(after past: DeliveryProgress, now: Instant) -> Self? { DurableAttachRequest(name: self.name) }
}

extension PositionSubscribeRequest: SubscribingRequest {
  package var lifetime: Duration? { self.duration.map { .bounded(seconds: $0) } }

  package func isComplete(after past: DeliveryProgress) -> Bool {
    self.maxUpdates.map { past.updates >= $0 } ?? false
  }

  package func remaining(after past: DeliveryProgress, now: Instant) -> Self? {
    guard !self.isComplete(after: past) else { return nil }
    var request = self
    if let maxUpdates {
      // One more, as a fix that comes first may be one that came before, and is not told again.
      request.maxUpdates = (maxUpdates - past.updates)
        .plus(self.replay == PositionSubscribeRequest.Replay.none ? 0 : 1)
    }
    if let lifetime, let begun = past.begun {
      let left = lifetime - (now - begun)
      guard left > .zero else { return nil }
      // The daemon takes no shorter one.
      request.duration = max(0.1, left.wireSeconds)
    }
    return request
  }
}
