/// One delivery of a heading subscription: a heading, or a change of its state or of the connection.
public struct HeadingUpdate: Hashable, Sendable {
  /// Whether the heading is known; `nil` if it was the connection that changed.
  public var state: HeadingState?
  /// `nil` unless the state is `valid`.
  public var heading: Heading?
  /// Whether it is a heartbeat, which repeats the last value because nothing new came.
  public var isRepeat: Bool
  /// How many updates were dropped since the one before because the program did not read in time.
  public var dropped: Int
  /// `disconnected`, `suspended` or `reconnected` if the connection or its permission changed; else `nil`.
  public var reason: DeliveryReason?

  /// An update, for a program's tests.
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

/// Whether the heading is known.
public enum HeadingState: String, Hashable, Sendable, CaseIterable {
  case valid
  /// Not known now: the device rests, the receiver has no fix, or the sensor is silent.
  case invalid
  /// Never known with this receiver: it has no sensor and reports no course. The subscription ends.
  case unavailable
}
