/// A one-shot request for a heading.
public struct HeadingRequest: Hashable, Sendable {
  /// How old the heading may be.
  public var maximumAge: Duration
  /// How long it waits; zero: until the daemon's own limit.
  public var timeout: Duration

  public init(maximumAge: Duration = .seconds(5), timeout: Duration = .seconds(30)) {
    self.maximumAge = maximumAge
    self.timeout = timeout
  }
}

/// How a one-shot request for a heading ended; without one, it timed out.
public struct HeadingResult: Hashable, Sendable {
  public var heading: Heading?

  public init(heading: Heading? = nil) { self.heading = heading }
}

/// What a heading subscription asks for.
public struct HeadingParameters: Hashable, Sendable {
  /// Degrees around the circle from the last delivered heading.
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

/// What became of a request that was to be ended.
public enum RequestOutcome: String, Hashable, Sendable, CaseIterable {
  case completed, cancelled
  /// No such request is in flight.
  case unknown
}
