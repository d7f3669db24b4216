/// What chrony says of this machine's time.
public struct ClockFigure: Hashable, Sendable {
  /// The clock or the server that chrony follows; `nil`: none.
  public var reference: String?
  /// Whether that is a clock of this machine, such as a receiver.
  public var isReferenceClock: Bool
  /// By how much its time was wrong at most when it was asked; `nil`: it has none.
  public var error: Duration?
  /// By how much that grows each second.
  public var drift: Double
  /// By how much its time is ahead of this machine's clock.
  public var correction: Duration
  /// When it last learned the time.
  public var updated: Instant
  /// When it was asked.
  public var asked: Instant

  public init(
    reference: String? = nil, isReferenceClock: Bool = false, error: Duration? = nil, drift: Double = 0,
    correction: Duration = .zero, updated: Instant, asked: Instant
  ) {
    self.reference = reference
    self.isReferenceClock = isReferenceClock
    self.error = error
    self.drift = drift
    self.correction = correction
    self.updated = updated
    self.asked = asked
  }

  /// How wrong its time is at most if it has learned nothing since it was asked.
  public func error(at now: Instant) -> Duration? { self.error.map { $0 + max(now - self.asked, .zero) * self.drift } }
}

/// The receiver's time beside the system's, and what keeps the system's right.
public struct ReceiverTime: Hashable, Sendable {
  /// The time in the receiver's newest fix; `nil` without one, or without precise permission.
  public var reading: Reading?
  /// What chrony said of this machine's clock; `nil` if it did not answer.
  public var clock: ClockFigure?

  public init(reading: Reading? = nil, clock: ClockFigure? = nil) {
    self.reading = reading
    self.clock = clock
  }

  /// What the receiver showed, and when.
  public struct Reading: Hashable, Sendable {
    /// The receiver's time.
    public var time: Timestamp
    /// When its report arrived, less its lag, by this machine's clock.
    public var arrival: Instant

    /// How long a report may have been under way: one second may take all of it on a slow line, and nobody knows how late the
    /// best one is.
    public static let uncertainty: Duration = .seconds(2)

    public init(time: Timestamp, arrival: Instant) {
      self.time = time
      self.arrival = arrival
    }
  }
}

extension DaemonStatus {
  /// Whether this machine's clock is kept right by the receiver.
  public struct Clock: Hashable, Sendable {
    /// What chrony said of it; `nil` if it did not answer.
    public var figure: ClockFigure?
    /// How wrong it may become; `nil`: the receiver is not turned on for it.
    public var keep: Duration?
    /// Whether it needs the receiver now.
    public var isNeeded: Bool
    /// Why it is not kept; `nil` if it is.
    public var problem: String?

    public init(figure: ClockFigure? = nil, keep: Duration? = nil, isNeeded: Bool = false, problem: String? = nil) {
      self.figure = figure
      self.keep = keep
      self.isNeeded = isNeeded
      self.problem = problem
    }
  }
}
