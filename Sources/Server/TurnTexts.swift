import Broker
import JSONRPC
import PositionProtocol
import Positioning

/// What is encoded once for all clients that get the same one in the same turn.
///
/// Subscriptions are numbered from 1 for each client, so most clients' first subscriptions get the same bytes.
final class TurnTexts {
  /// A notification without the client to whom it goes.
  private struct Key: Hashable {
    let notification: Notification

    /// Hashes what most notifications of a turn differ in: hashing a whole fix takes longer than comparing two.
    func hash(into hasher: inout Hasher) {
      switch self.notification {
      case .position(let id, let update):
        hasher.combine(id.number)
        hasher.combine(update.fix?.latitude)
        hasher.combine(update.fixes.count)
      case .sky, .heading, .status, .ended, .region, .visit, .durable, .durableOverflow, .durableEnded, .authorization,
        .prompted:
        hasher.combine(self.notification)
      }
    }

    /// `nil`: it goes to one client alone.
    init?(_ notification: Notification) {
      switch notification {
      case .position(let id, let update): self.notification = .position(Self.anybodys(id), update)
      case .sky(let id, let sky): self.notification = .sky(Self.anybodys(id), sky)
      case .heading(let id, let update): self.notification = .heading(Self.anybodys(id), update)
      case .status(let id, let status, let changed): self.notification = .status(Self.anybodys(id), status, changed)
      case .visit(let id, let visit): self.notification = .visit(Self.anybodys(id), visit)
      case .ended(let id, let reason): self.notification = .ended(Self.anybodys(id), reason)
      case .region: self.notification = notification
      case .durable, .durableOverflow, .durableEnded, .authorization, .prompted: return nil
      }
    }

    private static func anybodys(_ id: SubscriptionID) -> SubscriptionID {
      SubscriptionID(client: ClientID(0), number: id.number)
    }
  }

  private var notifications: [Key: [UInt8]] = [:]
  private var status: (value: DaemonStatus, now: Instant, text: ResultText)?

  /// The text of a notification's message.
  func text(of notification: Notification, at moment: CodingMoment) throws(JSONWriter.NoJSON) -> [UInt8] {
    guard let key = Key(notification) else {
      return try OutgoingMessage.notification(notification.message, moment: moment)
    }
    if let text = self.notifications[key] { return text }
    let text = try OutgoingMessage.notification(notification.message, moment: moment)
    self.notifications[key] = text
    return text
  }

  /// The status as the result of a request: clients may ask for it often.
  func text(of status: DaemonStatus, at moment: CodingMoment) throws(JSONWriter.NoJSON) -> ResultText {
    if let last = self.status, last.now == moment.now, last.value == status { return last.text }
    let text = try ResultText(status, StatusGetRequest.resultCodec, moment: moment)
    self.status = (status, moment.now, text)
    return text
  }

  /// Ages count from the turn, so no text of a notification is valid in the next one.
  func turnEnded() { self.notifications.removeAll(keepingCapacity: self.notifications.count <= 64) }
}

extension Notification {
  /// The notification as a message.
  var message: any NotificationType {
    switch self {
    case .position(let id, let update): PositionUpdateNotification(subscription: id.number, update)
    case .heading(let id, let update): HeadingUpdateNotification(subscription: id.number, update)
    case .sky(let id, let sky): SkyUpdateNotification(subscription: id.number, sky: sky)
    case .status(let id, let status, let changed):
      StatusUpdateNotification(subscription: id.number, changed: changed, status: status)
    case .visit(let id, let visit): VisitUpdateNotification(subscription: id.number, visit: visit)
    case .ended(let id, let reason): SubscriptionEndedNotification(subscription: id.number, reason: reason)
    case .region(let event): RegionEventNotification(event)
    case .durable(let name, let event): event.message(of: name)
    case .durableOverflow(let name, let dropped): DurableOverflowNotification(durable: name, dropped: dropped)
    case .durableEnded(let name, let reason): SubscriptionEndedNotification(durable: name, reason: reason)
    case .authorization(let authorization, let previous):
      AuthorizationChangedNotification(authorization: authorization, previous: previous)
    case .prompted(let level, let precision, let expiresIn):
      AuthorizationPromptedNotification(level: level, precision: precision, expiresIn: expiresIn)
    }
  }

  /// The notification as a message, if a newer one of its subscription may replace it: an update that has nothing but a
  /// fix or a heading.
  var supersedable: (message: any CountingNotification, subscription: Int)? {
    switch self {
    case .position(let id, let update):
      guard update.reason == nil, update.fix != nil, !update.isReplay else { return nil }
      return (PositionUpdateNotification(subscription: id.number, update), id.number)
    case .heading(let id, let update):
      guard update.heading != nil else { return nil }
      return (HeadingUpdateNotification(subscription: id.number, update), id.number)
    case .sky, .status, .visit, .ended, .region, .durable, .durableOverflow, .durableEnded, .authorization, .prompted:
      return nil
    }
  }
}

extension DurableEvent {
  fileprivate func message(of name: String) -> any NotificationType {
    let id = Int(clamping: self.id)
    return switch self.content {
    case .position(let update): PositionUpdateNotification(durable: name, eventId: id, update)
    case .region(let event): RegionEventNotification(event, durable: name, eventId: id)
    case .visit(let visit): VisitUpdateNotification(durable: name, eventId: id, visit: visit)
    }
  }
}
