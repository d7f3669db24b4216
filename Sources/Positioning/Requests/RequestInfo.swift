/// A request in flight.
public struct RequestInfo: Hashable, Sendable {
  /// The requests that can be pending.
  public enum Asked: Hashable, Sendable {
    case fix(FixRequest)
    case heading(HeadingRequest)
  }

  /// The parameters of the request, with the defaults filled in.
  public var asked: Asked
  /// The time since it was received.
  public var elapsed: Duration
  /// The time until its timeout.
  public var remaining: Duration

  public init(asked: Asked, elapsed: Duration, remaining: Duration) {
    self.asked = asked
    self.elapsed = elapsed
    self.remaining = remaining
  }
}
