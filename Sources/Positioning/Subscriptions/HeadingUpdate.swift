/// One delivery of a heading subscription: a heading, or a change of whether there is one, or of the connection.
public struct HeadingUpdate: Hashable, Sendable {
  /// Whether it is known where the device points; `nil` where the connection is what changed.
  public var state: HeadingState?
  /// `nil` unless the state is `valid`.
  public var heading: Heading?
  /// Whether it is a heartbeat, which comes because nothing else did.
  public var isRepeat: Bool
  /// How many updates were passed over since the one before, because they were not taken in time.
  public var dropped: Int
  /// `disconnected`, `suspended` or `reconnected` where the connection changed, or what may be told on it; else `nil`.
  public var reason: DeliveryReason?

  /// An update as a test of a program may want one.
  public init(
    state: HeadingState? = nil, heading: Heading? = nil, isRepeat: Bool = false, dropped: Int = 0,
    reason: DeliveryReason? = nil
  ) {
    self.state = state
    self.heading = heading
    self.isRepeat = isRepeat
    self.dropped = dropped
    self.reason = reason
  }
}

/// Whether it is known where the device points.
public enum HeadingState: String, Hashable, Sendable, CaseIterable {
  case valid
  /// Not now: the device rests, the receiver has no fix, the sensor is silent.
  case invalid
  /// Never with this receiver: it has no sensor, and tells no course. The subscription ends.
  case unavailable
}
