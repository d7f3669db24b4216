package import JSONRPC
package import PositionProtocol
public import Positioning

/// An element of a sequence of updates: a notification of the daemon, or a change of the connection to it.
///
/// In all of them the value is optional, and if it is absent `reason` says why. So a loop that only wants values
/// takes them with `if let` and ignores the rest.
protocol SubscriptionUpdate: Sendable {
  associatedtype Request: SubscribingRequest

  /// The update of a notification; `nil` if it is not for this sequence.
  init?(_ notification: any AddressedNotification)
  /// The connection is lost; the client connects again.
  static var disconnected: Self { get }
  /// The daemon denies it until permission is granted again.
  static var suspended: Self { get }
  /// The connection and the subscription are established again.
  static func reconnected(_ answer: Request.Result) -> Self
  /// The update for the first answer; `nil` if it would say nothing new.
  static func began(_ answer: Request.Result) -> Self?
  /// The update before the end, when the daemon ends the subscription; `nil` if there is none.
  static func ended(_ reason: EndReason) -> Self?

  /// The arrival of its fix at the daemon, if it has one.
  var arrival: Instant? { get }
  /// Whether its fix is older than the subscription.
  var isReplay: Bool { get }
  /// How many deliveries of the daemon it counts as.
  var deliveries: Int { get }
  /// The number of the event, if it has one.
  var eventID: Int? { get }
  /// The precision that it reveals; `nil`: nothing of the position.
  var reveals: Precision? { get }
  /// The previous update was dropped, because it was not taken in time.
  mutating func passOver(_ older: Self)
}

/// The defaults, for updates of which only the newest counts.
extension SubscriptionUpdate {
  var arrival: Instant? { nil }
  var isReplay: Bool { false }
  var deliveries: Int { 1 }
  var eventID: Int? { nil }
  var reveals: Precision? { nil }
  static func began(_ answer: Request.Result) -> Self? { nil }
  static func ended(_ reason: EndReason) -> Self? { nil }
  mutating func passOver(_ older: Self) {}
}

extension Authorization {
  /// Whether it does not allow what reveals this; `nil`: nothing of the position.
  func withholds(_ reveals: Precision?) -> Bool { reveals.map { !self.isGranted || $0 > self.precision } ?? false }
}

extension DeliveryReason {
  /// The connection to the daemon is lost. The client connects again; the program need not do anything.
  public static let disconnected = Self(rawValue: "disconnected")
  /// The connection to the daemon stands again, and updates continue.
  public static let reconnected = Self(rawValue: "reconnected")
  /// Permission was taken away while the connection was lost. `reconnected` follows once it is granted again.
  public static let suspended = Self(rawValue: "suspended")
}

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

/// What happens to a subscription, for a program of this package that runs on the loop's own thread and uses the
/// daemon's notifications directly.
package enum SubscriptionEvent<Request: SubscribingRequest>: Sendable {
  /// The subscription is established.
  case begun(Request.Result)
  /// The daemon sent a notification for it.
  case notified(any AddressedNotification)
  /// The connection is lost; the client connects again.
  case disconnected
  /// The daemon denies it until permission is granted again.
  case suspended
  /// The subscription is established again.
  case reconnected(Request.Result)
  /// The daemon has ended it.
  case stopped(EndReason)
  /// Nothing more follows, because of the error if there is one. Always the last, also after `stopped`.
  case over(PositionError?)
}

extension SubscriptionEvent: SubscriptionUpdate {
  init?(_ notification: any AddressedNotification) { self = .notified(notification) }
  static func began(_ answer: Request.Result) -> Self? { .begun(answer) }
  static func ended(_ reason: EndReason) -> Self? { .stopped(reason) }

  private var position: PositionUpdate? {
    if case .notified(let notification as PositionUpdateNotification) = self { notification.update } else { nil }
  }

  var arrival: Instant? { self.position?.arrival }

  var isReplay: Bool { self.position?.isReplay ?? false }

  var deliveries: Int { self.position?.deliveries ?? 1 }

  var eventID: Int? {
    guard case .notified(let notification) = self else { return nil }
    return switch notification {
    case let event as RegionEventNotification: event.eventId
    case let update as VisitUpdateNotification: update.eventId
    case let update as PositionUpdateNotification: update.eventId
    default: nil
    }
  }
}

extension RequestMultiplexer {
  /// Follows what a request subscribes to, over as many connections as necessary.
  ///
  /// - Parameter notify: Called on the loop's thread, in order.
  package func follow<Request: SubscribingRequest>(
    _ request: Request, _ notify: @escaping (SubscriptionEvent<Request>) -> Void
  ) {
    let sink = UpdateSink<SubscriptionEvent<Request>>(
      put: { update, _ in notify(update) }, finish: { notify(.over($0)) })
    self.add(Subscriber(request, to: sink), ticket: self.makeTicket())
  }
}
