package import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// The broker's answers and notifications, sent to clients as messages.
extension PositionServer {
  /// Answers a call, if the client is still there. An answer that reveals more than the client may know becomes the
  /// denial.
  package func answer(_ call: CallID, _ answer: Answer) { self.connections[call.client]?.answered(call, answer) }

  /// The moment from which ages in messages count now.
  var moment: CodingMoment {
    CodingMoment(now: self.loop.now, since1970: self.loop.readWallClock())
  }

  func context(for connection: Connection) -> AnswerContext {
    AnswerContext(
      moment: self.moment, daemon: self.daemon, client: connection, writtenStatus: self.writtenStatus)
  }

  /// Notifies a client, if it may know that.
  package func notify(_ client: ClientID, _ notification: Notification) {
    guard let connection = self.connections[client] else { return }
    connection.stay()
    guard connection.limit.allows(notification.sensitivity) else { return }
    do throws(JSONWriter.NoJSON) {
      try connection.notified(notification)
    } catch {
      self.dropped(error)
    }
  }

  /// A message that could not be encoded is dropped; everything else continues.
  func dropped(_ error: JSONWriter.NoJSON) {
    guard let count = self.unwritten.happened(now: self.loop.now) else { return }
    self.log(.messageDropped, "a message was dropped: \(error); such messages since the last report: \(count)")
  }

  func deliver(_ notification: Notification, to connection: RPCConnection) throws(JSONWriter.NoJSON) {
    let moment = self.moment
    let sensitivity = notification.sensitivity
    switch notification {
    case .position(let id, let update):
      let message = PositionUpdateNotification(subscription: id.number, update)
      let text = try self.encoder.text(of: notification, moment: moment) { message }
      connection.notify(
        message, text: text, supersedes: update.isSupersedable ? id : nil, sensitivity)
    case .heading(let id, let update):
      let message = HeadingUpdateNotification(subscription: id.number, update)
      let text = try self.encoder.text(of: notification, moment: moment) { message }
      connection.notify(
        message, text: text, supersedes: update.heading == nil ? nil : id, sensitivity)
    case .sky(let id, let sky):
      connection.notify(
        text: try self.encoder.text(of: notification, moment: moment) {
          SkyUpdateNotification(subscription: id.number, sky: sky)
        }, sensitivity)
    case .status(let id, let status, let changed):
      connection.notify(
        text: try self.encoder.text(of: notification, moment: moment) {
          StatusUpdateNotification(subscription: id.number, changed: changed, status: status)
        }, sensitivity)
    case .ended(let id, let reason):
      connection.notify(
        text: try self.encoder.text(of: notification, moment: moment) {
          SubscriptionEndedNotification(subscription: id.number, reason: reason)
        }, sensitivity)
    case .region(let event):
      connection.notify(
        text: try self.encoder.text(of: notification, moment: moment) { RegionEventNotification(event) },
        sensitivity)
    case .visit(let id, let visit):
      connection.notify(
        text: try self.encoder.text(of: notification, moment: moment) {
          VisitUpdateNotification(subscription: id.number, visit: visit)
        }, sensitivity)
    case .durable(let name, let event): try connection.notify(self.message(event, of: name), sensitivity)
    case .durableOverflow(let name, let dropped):
      try connection.notify(DurableOverflowNotification(durable: name, dropped: dropped), sensitivity)
    case .durableEnded(let name, let reason):
      try connection.notify(SubscriptionEndedNotification(durable: name, reason: reason), sensitivity)
    case .authorization(let authorization, let previous):
      try connection.notify(
        AuthorizationChangedNotification(authorization: authorization, previous: previous), sensitivity)
    case .prompted(let level, let precision, let expiresIn):
      try connection.notify(
        AuthorizationPromptedNotification(level: level, precision: precision, expiresIn: expiresIn), sensitivity)
    }
  }

  /// A durable event goes to the one attached client, so its text is not cached.
  private func message(_ event: DurableEvent, of name: String) -> any NotificationType {
    let id = Int(clamping: event.id)
    return switch event.content {
    case .position(let update): PositionUpdateNotification(durable: name, eventId: id, update)
    case .region(let event): RegionEventNotification(event, durable: name, eventId: id)
    case .visit(let visit):
      VisitUpdateNotification(durable: name, eventId: id, visit: visit)
    }
  }

  /// Reports to the broker, in a later turn, once the client's socket has taken everything. Nothing is reported if the
  /// client disconnects before.
  package func reportWhenTaken(_ client: ClientID) { self.connections[client]?.reportWhenTaken() }

  /// Writes at the end of a turn what the turn has queued, once for each client.
  package func flush() {
    // Flushing may touch connections again, which are flushed at the end of the next turn.
    swap(&self.touched, &self.flushed)
    for connection in self.flushed {
      connection.isTouched = false
      connection.turnEnded()
      connection.flush()
    }
    self.flushed.removeAll(keepingCapacity: self.flushed.count <= 16)
    self.encoder.turnEnded()
  }
}
