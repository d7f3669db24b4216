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
