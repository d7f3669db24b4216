/// Where the device pointed at one moment. Without a sensor it is the course, the direction in which the device moves.
///
/// Directions are in degrees, clockwise from north, in 0..<360: 0 is north. An unknown value is `nil`; at least one of
/// the two headings is known.
public struct Heading: Hashable, Sendable {
  /// Where the heading comes from.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// A compass or another attitude sensor, which also works at rest.
    case sensor
    /// The course of the moving device; a boat may point elsewhere.
    case course
  }

  /// Degrees from true north.
  public var trueHeading: Double?
  /// Degrees from magnetic north.
  public var magneticHeading: Double?
  /// Degrees: the heading is that close with a probability of 68 %. Sensors do not report it.
  public var accuracy: Double?
  public var source: Source
  /// The receiver's own time, if it reported one; it does not show how fresh the heading is.
  public var time: Timestamp?
  /// When the report arrived; the base of every age.
  public var arrival: Instant

  public init(
    trueHeading: Double? = nil, magneticHeading: Double? = nil, accuracy: Double? = nil, source: Source,
    time: Timestamp? = nil, arrival: Instant
  ) {
    self.trueHeading = trueHeading
    self.magneticHeading = magneticHeading
    self.accuracy = accuracy
    self.source = source
    self.time = time
    self.arrival = arrival
  }

  /// How long ago the report arrived.
  public func age(at now: Instant) -> Duration {
    now - self.arrival
  }
}

/// A one-shot request for a heading.
public struct HeadingRequest: Hashable, Sendable {
  /// How old the heading may be.
  public var maximumAge: Duration
  /// How long the request waits; zero: as long as the daemon allows.
  public var timeout: Duration

  public init(maximumAge: Duration = .seconds(5), timeout: Duration = .seconds(30)) {
    self.maximumAge = maximumAge
    self.timeout = timeout
  }
}

/// The result of a one-shot request for a heading; without a heading it timed out.
public struct HeadingResult: Hashable, Sendable {
  public var heading: Heading?

  public init(heading: Heading? = nil) { self.heading = heading }
}

/// The parameters of a heading subscription.
public struct HeadingParameters: Hashable, Sendable {
  /// The least angle in degrees from the last delivered heading.
  public var minChange: Double
  /// The least time between two deliveries.
  public var minInterval: Duration
  /// After this time without a delivery the newest heading is delivered again, marked as a repetition.
  public var maxInterval: Duration?

  public init(minChange: Double = 1, minInterval: Duration = .zero, maxInterval: Duration? = nil) {
    self.minChange = minChange
    self.minInterval = minInterval
    self.maxInterval = maxInterval
  }
}

/// What happened to a request.
public enum RequestOutcome: String, Hashable, Sendable, CaseIterable {
  case completed, cancelled
  /// There is no such open request.
  case unknown
}

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
