import JSONRPC
import PositionProtocol
import Positioning

/// A loop over what the client may know: asked for on each new connection, and told when it is something else than
/// before.
final class AuthorizationSubscriber: LiveSubscriber {
  private let mailbox: Mailbox<AuthorizationUpdate>
  /// What the program was told last.
  private var known: AuthorizationObject?
  /// Whether the present connection has said how it stands. What comes before is in that answer.
  private var isStanding = false
  private var told = NotifiedState.standing

  init(mailbox: Mailbox<AuthorizationUpdate>) {
    self.mailbox = mailbox
  }

  /// What it hears is told to the connection as a whole.
  var recipients: [Recipient] { [] }
  var expiry: Instant? { nil }

  func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool {
    connection.request(AuthorizationGetRequest()) { [weak self] result in
      switch result {
      case .success(let authorization):
        self?.stood(authorization)
        handler(nil)
      case .failure(let error): handler(error)
      }
    }
    return true
  }

  private func stood(_ authorization: AuthorizationObject) {
    self.isStanding = true
    if self.told.becomes(.standing) { self.mailbox.put(AuthorizationUpdate(reason: .reconnected), as: .reconnection) }
    guard self.known == nil else { return self.changed(to: authorization) }
    self.known = authorization
    self.mailbox.put(AuthorizationUpdate(event: .current, authorization: authorization))
  }

  private func changed(to authorization: AuthorizationObject) {
    guard let previous = self.known, previous != authorization else { return }
    self.known = authorization
    self.mailbox.put(AuthorizationUpdate(from: previous, to: authorization))
  }

  func heard(_ notification: any AnnouncedNotification) {
    guard self.isStanding else { return }
    switch notification {
    case let change as AuthorizationChangedNotification: self.changed(to: change.authorization)
    case let prompt as AuthorizationPromptedNotification:
      self.mailbox.put(
        AuthorizationUpdate(
          event: .prompted(
            level: prompt.level, precision: prompt.precision, expiresIn: .bounded(seconds: prompt.expiresIn)),
          authorization: self.known))
    default: break  // What another kind of loop wants to hear.
    }
  }

  func disconnected() {
    self.isStanding = false
    if self.told.becomes(.disconnected) {
      self.mailbox.put(AuthorizationUpdate(reason: .disconnected), as: .disconnection)
    }
  }

  func steered(on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void) {}
  func deliver(_ notification: any AddressedNotification) -> Bool { false }
  func end(_ reason: EndReason) {}
  func finish(_ error: PositionError?) { self.mailbox.finish(error) }
  func cancel(on connection: DaemonConnection) {}
}
