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
