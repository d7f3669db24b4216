package import PositionProtocol
import Positioning

/// What becomes of a subscription, for a program of this package that sits on the loop's own thread and wants the
/// daemon's words as they are.
package enum Followed<Request: SubscribingRequest>: Sendable {
  /// It stands.
  case begun(Request.Result)
  /// The daemon has told something for it.
  case told(any AddressedNotification)
  /// The connection is lost, and sought again.
  case disconnected
  /// The daemon refuses it until there is permission again.
  case suspended
  /// It stands again.
  case reconnected(Request.Result)
  /// The daemon has ended it.
  case stopped(EndReason)
  /// Nothing more comes, because of the error if there is one; the last that is told, also after `stopped`.
  case over(PositionError?)
}

extension Followed: SubscriptionUpdate {
  init?(_ notification: any AddressedNotification) { self = .told(notification) }
  static func began(_ answer: Request.Result) -> Self? { .begun(answer) }
  static func ended(_ reason: EndReason) -> Self? { .stopped(reason) }

  private var position: PositionUpdateNotification? {
    if case .told(let update as PositionUpdateNotification) = self { update } else { nil }
  }

  var arrival: Instant? {
    let fix = self.position?.fix ?? self.position?.fixes?.last
    return fix.map { Instant(sinceBoot: .bounded(seconds: $0.arrival)) }
  }

  var isReplay: Bool { self.position?.isReplay ?? false }

  var deliveries: Int {
    guard let position, !(position.fixes ?? []).isEmpty else { return 1 }
    return max(0, position.dropped ?? 0).plus(1)
  }

  var eventID: Int? {
    guard case .told(let notification) = self else { return nil }
    return switch notification {
    case let event as RegionEventNotification: event.eventId
    case let update as VisitUpdateNotification: update.eventId
    case let update as PositionUpdateNotification: update.eventId
    default: nil
    }
  }
}

extension RequestMultiplexer {
  /// Follows what a request subscribes to, over as many connections as that takes.
  ///
  /// - Parameter tell: Called on the loop's thread, in order.
  package func follow<Request: SubscribingRequest>(
    _ request: Request, _ tell: @escaping (Followed<Request>) -> Void
  ) {
    let outlet = Outlet<Followed<Request>>(put: { update, _ in tell(update) }, finish: { tell(.over($0)) })
    self.add(Subscriber(request, to: outlet), ticket: self.makeTicket())
  }
}
