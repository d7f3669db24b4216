import PositionProtocol
package import Positioning

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
