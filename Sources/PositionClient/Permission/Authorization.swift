import JSONRPC
import PositionProtocol
public import Positioning

/// One delivery of `PositionClient.authorizationChanges`: the program's authorization, or a change of the connection.
public struct AuthorizationUpdate: Hashable, Sendable {
  /// What happened.
  public enum Event: Hashable, Sendable {
    /// No change: the authorization when the loop begins.
    case current
    /// A person is asked whether to grant this level and precision; the prompt ends after this time.
    case prompted(level: AuthorizationLevel, precision: Precision, expiresIn: Duration)
    /// The program may know the position now, and could not before.
    case granted
    /// The program may not know the position any more: a grant was taken away, or a person, a rule or the master switch
    /// denies it.
    case denied
    /// More is granted than before, or less; or a denied program may be asked for again.
    case changed
  }

  /// The event; absent if the connection changed.
  public var event: Event?
  /// The authorization now; absent if the connection changed.
  public var authorization: Authorization?
  /// The authorization before, if it differs.
  public var previous: Authorization?
  /// `.disconnected` or `.reconnected` if the connection changed, else absent.
  public var reason: DeliveryReason?

  /// Creates an update, for a program's tests.
  public init(
    event: Event? = nil, authorization: Authorization? = nil, previous: Authorization? = nil,
    reason: DeliveryReason? = nil
  ) {
    self.event = event
    self.authorization = authorization
    self.previous = previous
    self.reason = reason
  }

  /// A change from one authorization to another.
  init(from previous: Authorization, to authorization: Authorization) {
    self.init(
      event: Event(from: previous, to: authorization), authorization: authorization, previous: previous)
  }

  /// Of several changes that were not taken in time the newest is delivered, with the authorization before the first.
  mutating func passOver(_ older: Self) {
    guard let before = older.previous, let authorization = self.authorization, before != authorization else { return }
    self.previous = before
    if case .prompted? = self.event { return }
    self.event = Event(from: before, to: authorization)
  }
}

extension AuthorizationUpdate.Event {
  fileprivate init(from previous: Authorization, to authorization: Authorization) {
    switch (previous.isGranted, authorization.isGranted) {
    case (true, true): self = .changed
    case (false, true): self = .granted
    case (true, false): self = .denied
    // A denied program that is undecided now was not denied anything new.
    case (false, false): self = authorization.state == .notDetermined ? .changed : .denied
    }
  }
}

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
