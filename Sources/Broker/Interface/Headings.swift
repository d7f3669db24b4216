package import Positioning

/// A one-shot request for a heading.
package struct HeadingRequest: Hashable, Sendable {
  /// How old the heading may be.
  package var maximumAge: Duration
  /// How long it waits; zero: until the daemon's own limit.
  package var timeout: Duration

  package init(maximumAge: Duration = .seconds(5), timeout: Duration = .seconds(30)) {
    self.maximumAge = maximumAge
    self.timeout = timeout
  }
}

/// How a one-shot request for a heading ended; without one, it timed out.
package struct HeadingOutcome: Hashable, Sendable {
  package var heading: Heading?
}

/// What a heading subscription asks for.
package struct HeadingParameters: Hashable, Sendable {
  /// Degrees around the circle from the last delivered heading.
  package var minChange: Double
  package var minInterval: Duration
  /// A heartbeat: without a delivery for so long the newest heading is told again, marked.
  package var maxInterval: Duration?

  package init(minChange: Double = 1, minInterval: Duration = .zero, maxInterval: Duration? = nil) {
    self.minChange = minChange
    self.minInterval = minInterval
    self.maxInterval = maxInterval
  }
}

/// Whether it is known where the device points.
package enum HeadingState: String, Hashable, Sendable, CaseIterable {
  case valid
  /// Not now: the device rests, the receiver has no fix, the sensor is silent.
  case invalid
  /// Never with this receiver: it has no sensor, and tells no course.
  case unavailable
}

/// One delivery of a heading subscription: a heading, or a change of its state.
package struct HeadingUpdate: Hashable, Sendable {
  package var subscription: SubscriptionID
  package var state: HeadingState
  /// There where the state is `valid`.
  package var heading: Heading?
  /// A heartbeat.
  package var isRepeat: Bool
}
