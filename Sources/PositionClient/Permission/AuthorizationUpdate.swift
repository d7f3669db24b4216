public import PositionProtocol

/// One delivery of `PositionClient.authorizationChanges`: what this program may know, or what became of the connection.
public struct AuthorizationUpdate: Hashable, Sendable {
  /// What happened.
  public enum Event: Hashable, Sendable {
    /// Nothing yet: how it stands when the loop begins.
    case current
    /// A person is being asked whether this program may know so much; the question stands for so long.
    case prompted(level: AuthorizationObject.Level, precision: AuthorizationObject.Precision, expiresIn: Duration)
    /// The position may be known, and could not be before.
    case granted
    /// The position may not be known: what was granted was taken away, or a person, a rule or the master switch says no.
    case denied
    /// More is granted than before, or less; or who was refused may be asked for again.
    case changed
  }

  /// What happened; absent where the connection is what changed.
  public var event: Event?
  /// What the program may know now; absent where the connection is what changed.
  public var authorization: AuthorizationObject?
  /// What it was before, where that is something else.
  public var previous: AuthorizationObject?
  /// `.disconnected` or `.reconnected` where the connection changed, else absent.
  public var reason: DeliveryReason?

  /// An update as a test of a program may want one.
  public init(
    event: Event? = nil, authorization: AuthorizationObject? = nil, previous: AuthorizationObject? = nil,
    reason: DeliveryReason? = nil
  ) {
    self.event = event
    self.authorization = authorization
    self.previous = previous
    self.reason = reason
  }

  /// A change from one to another.
  init(from previous: AuthorizationObject, to authorization: AuthorizationObject) {
    self.init(
      event: Event(from: previous, to: authorization), authorization: authorization, previous: previous)
  }

  /// Of changes that were not taken in time the newest counts, and what was before the first of them.
  mutating func passOver(_ older: Self) {
    guard let before = older.previous, let authorization = self.authorization, before != authorization else { return }
    self.previous = before
    if case .prompted? = self.event { return }
    self.event = Event(from: before, to: authorization)
  }
}

extension AuthorizationUpdate.Event {
  fileprivate init(from previous: AuthorizationObject, to authorization: AuthorizationObject) {
    switch (previous.isGranted, authorization.isGranted) {
    case (true, true): self = .changed
    case (false, true): self = .granted
    case (true, false): self = .denied
    // Who was refused, and is now nothing but undecided, was refused nothing.
    case (false, false): self = authorization.state == .notDetermined ? .changed : .denied
    }
  }
}
