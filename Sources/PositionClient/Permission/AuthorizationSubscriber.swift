import JSONRPC
import PositionProtocol
package import Positioning

/// A loop over the client's authorization, which is requested on each new connection and delivered if it differs from
/// the last one.
final class AuthorizationSubscriber: LiveSubscriber {
  private let sink: UpdateSink<AuthorizationUpdate>
  /// The authorization that the program was notified of last.
  private var known: Authorization?
  /// Whether the present connection has answered. Changes before the answer are part of it.
  private var isActive = false
  private var notified = NotifiedState.connected

  init(to sink: UpdateSink<AuthorizationUpdate>) {
    self.sink = sink
  }

  /// Notifications of authorization go to the connection as a whole.
  var recipients: [Recipient] { [] }
  var expiry: Instant? { nil }

  func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool {
    connection.request(AuthorizationGetRequest()) { [weak self] result in
      switch result {
      case .success(let authorization):
        self?.established(authorization)
        handler(nil)
      case .failure(let error): handler(error)
      }
    }
    return true
  }

  private func established(_ authorization: Authorization) {
    self.isActive = true
    if self.notified.becomes(.connected) {
      self.sink.put(AuthorizationUpdate(reason: .reconnected), .reconnection)
    }
    guard self.known == nil else { return self.changed(to: authorization) }
    self.known = authorization
    self.sink.put(AuthorizationUpdate(event: .current, authorization: authorization), .delivery)
  }

  private func changed(to authorization: Authorization) {
    guard let previous = self.known, previous != authorization else { return }
    self.known = authorization
    self.sink.put(AuthorizationUpdate(from: previous, to: authorization), .delivery)
  }

  func heard(_ notification: any AnnouncedNotification) {
    guard self.isActive else { return }
    switch notification {
    case let change as AuthorizationChangedNotification: self.changed(to: change.authorization)
    case let prompt as AuthorizationPromptedNotification:
      self.sink.put(
        AuthorizationUpdate(
          event: .prompted(
            level: prompt.level, precision: prompt.precision, expiresIn: prompt.expiresIn),
          authorization: self.known), .delivery)
    default: break  // A notification for another kind of loop.
    }
  }

  func disconnected() {
    self.isActive = false
    if self.notified.becomes(.disconnected) {
      self.sink.put(AuthorizationUpdate(reason: .disconnected), .disconnection)
    }
  }

  func sendCommands(on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void) {}
  func deliver(_ notification: any AddressedNotification) -> Bool { false }
  func end(_ reason: EndReason) {}
  func finish(_ error: PositionError?) { self.sink.finish(error) }
  func cancel(on connection: DaemonConnection) {}
}

extension RequestMultiplexer {
  /// Follows what the client may know, over as many connections as necessary: what it is now, and each change. What is
  /// followed later learns of a change only after this.
  ///
  /// - Parameter notify: Called on the loop's thread, in order.
  package func followAuthorization(_ notify: @escaping (Authorization) -> Void) {
    let sink = UpdateSink<AuthorizationUpdate>(
      put: { update, _ in if let authorization = update.authorization { notify(authorization) } }, finish: { _ in })
    self.add(AuthorizationSubscriber(to: sink), ticket: self.makeTicket())
  }
}
