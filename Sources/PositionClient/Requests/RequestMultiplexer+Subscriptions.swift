import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// Subscriptions: made, made again on each new connection, and ended.
extension RequestMultiplexer {
  /// Adds a subscription, which is made as soon as the link stands.
  package func add(_ subscriber: any LiveSubscriber, ticket: Int) {
    guard !self.isClosed else { return subscriber.finish(.closed) }
    self.subscribers[ticket] = subscriber
    if self.connection != nil { self.subscribe(ticket) } else { self.seek() }
  }

  /// Nobody waits for the subscription's updates any more.
  func unsubscribe(ticket: Int) {
    guard let subscriber = self.subscribers.removeValue(forKey: ticket) else { return }
    self.suspended.remove(ticket)
    self.leaveQuestions(of: ticket)
    self.cancel(subscriber)
    self.rearm()
  }

  /// There are commands for the subscription. They wait until it is established.
  func sendCommands(ticket: Int) {
    guard let subscriber = self.subscribers[ticket], let connection = self.connection, !connection.hasEnded else {
      return
    }
    subscriber.sendCommands(on: connection, now: self.loop.now) { [unowned self, unowned connection] error in
      self.subscribed(ticket, subscriber, error, on: connection)
    }
    let living = Set(subscriber.recipients)
    self.recipients = self.recipients.filter { $0.value != ticket || living.contains($0.key) }
  }

  /// Makes the subscription on the present connection, for the remaining updates.
  func subscribe(_ ticket: Int) {
    guard let subscriber = self.subscribers[ticket], let connection = self.connection, !connection.hasEnded else {
      return
    }
    let isAsked = subscriber.subscribe(on: connection, now: self.loop.now) { [unowned self, unowned connection] error in
      self.subscribed(ticket, subscriber, error, on: connection)
    }
    if !isAsked {
      self.subscribers[ticket] = nil
      subscriber.finish(nil)
    }
  }

  /// Called before anything else is read, because the first update may follow the answer directly.
  private func subscribed(
    _ ticket: Int, _ subscriber: any LiveSubscriber, _ error: PositionError?, on connection: DaemonConnection
  ) {
    // The program left it before its answer arrived; without cancelling, the subscription would keep the receiver on.
    guard self.subscribers[ticket] != nil else { return self.cancel(subscriber) }
    if let error {
      // It is made again on the next connection.
      if connection.hasEnded || error.isShuttingDown { return }
      if case .notPermitted = error, subscriber.suspended() {
        self.suspended.insert(ticket)
        return
      }
      self.subscribers[ticket] = nil
      subscriber.finish(error)
      self.cancel(subscriber)
    } else {
      for recipient in subscriber.recipients { self.enter(recipient, ticket: ticket) }
    }
  }

  /// From now on the recipient's notifications go to this subscription.
  private func enter(_ recipient: Recipient, ticket: Int) {
    let older = self.recipients.updateValue(ticket, forKey: recipient)
    // Only one loop receives a durable name's events. To the daemon both loops are one client, so it does not notify
    // the older one that it was replaced.
    guard case .durable = recipient, let older, older != ticket else { return }
    self.subscribers.removeValue(forKey: older)?.end(.replaced)
  }

  /// Ends it on the daemon, if it is established there.
  private func cancel(_ subscriber: any LiveSubscriber) {
    for recipient in subscriber.recipients { self.recipients[recipient] = nil }
    // An error means that the subscription is gone already, as desired.
    if let connection = self.connection { subscriber.cancel(on: connection) }
  }

  func notified(_ notification: any NotificationType) {
    switch notification {
    case let end as SubscriptionEndedNotification: self.ended(end)
    case let announcement as any AnnouncedNotification: self.announced(announcement)
    case let notification as any AddressedNotification:
      guard let recipient = notification.recipient, let ticket = self.recipients[recipient],
        let subscriber = self.subscribers[ticket]
      else { return }
      if subscriber.deliver(notification) {
        self.subscribers[ticket] = nil
        subscriber.finish(nil)
        self.cancel(subscriber)
      }
    default: break  // A notification for the whole connection, or one of a later daemon.
    }
  }

  private func announced(_ announcement: any AnnouncedNotification) {
    self.onAnnouncement?(announcement)
    for (_, subscriber) in self.subscribers.sorted(by: { $0.key < $1.key }) { subscriber.heard(announcement) }
    guard announcement is AuthorizationChangedNotification else { return }
    let waiting = self.suspended.sorted()
    self.suspended = []
    for ticket in waiting { self.subscribe(ticket) }
  }

  private func ended(_ end: SubscriptionEndedNotification) {
    guard let recipient = end.recipient, let ticket = self.recipients.removeValue(forKey: recipient) else { return }
    self.subscribers.removeValue(forKey: ticket)?.end(end.reason)
  }
}

extension PositionError {
  /// `nil` if the subscription did not fail.
  init?(_ reason: EndReason) {
    guard reason == .unavailable else { return nil }
    self = .failed(RPCError(code: .unavailable, message: "this device cannot serve the subscription"))
  }
}
