import JSONRPC
import PositionProtocol
import Positioning

/// A request that makes a subscription.
protocol SubscribingRequest: RequestType {
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
  func remaining(after past: Past, now: Instant) -> Self?
  /// Whether it has had all that it asked for.
  func isComplete(after past: Past) -> Bool
}

/// Most last until they are left, and are made again as they were.
extension SubscribingRequest {
  func lastEvent(_ answer: Result) -> Int? { nil }
  var lifetime: Duration? { nil }
  func remaining(after past: Past, now: Instant) -> Self? { self }
  func isComplete(after past: Past) -> Bool { false }
}

extension SubscribingRequest where Result == SubscriptionResult {
  func recipient(_ answer: SubscriptionResult) -> Recipient? { Recipient(subscription: answer.subscription) }

  func cancellation(_ recipient: Recipient) -> SubscriptionCancelRequest? {
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
  func recipient(_ answer: DurableObject) -> Recipient? { .durable(answer.durable) }
  func lastEvent(_ answer: DurableObject) -> Int? { answer.lastEvent }

  /// The connection stays attached to the name, and what comes waits there for the next loop.
  func cancellation(_ recipient: Recipient) -> SubscriptionCancelRequest? { nil }

  func remaining(after past: Past, now: Instant) -> Self? { DurableAttachRequest(name: self.name) }
}

extension PositionSubscribeRequest: SubscribingRequest {
  var lifetime: Duration? { self.duration.map { .seconds($0) } }

  func isComplete(after past: Past) -> Bool {
    self.maxUpdates.map { past.updates >= $0 } ?? false
  }

  func remaining(after past: Past, now: Instant) -> Self? {
    guard !self.isComplete(after: past) else { return nil }
    var request = self
    if let maxUpdates {
      // One more, as a fix that comes first may be one that came before, and is not told again.
      request.maxUpdates = maxUpdates - past.updates + (self.replay == PositionSubscribeRequest.Replay.none ? 0 : 1)
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
