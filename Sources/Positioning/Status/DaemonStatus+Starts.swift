extension DaemonStatus {
  /// A time in which the receiver was on.
  public struct OnPeriod: Hashable, Sendable {
    public var from: Instant
    /// `nil` while it is on.
    public var until: Instant?

    public init(from: Instant, until: Instant? = nil) {
      self.from = from
      self.until = until
    }
  }

  /// The most periods that are listed.
  package static let maximumPeriods = 32

  /// The next start of the receiver.
  public struct NextStart: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
      /// A fix is due.
      case due
      /// The last search was without a fix.
      case retry
      /// Without it the start for what is due would be a slow one.
      case keepHot
      /// Unknown to a client: a later daemon sent a value that it does not know. No daemon sends it.
      case unknown

      /// The values that a daemon sends.
      public static let allCases: [Reason] = [.due, .retry, .keepHot]
    }

    /// When the receiver is turned on.
    public var at: Instant
    public var reason: Reason
    /// When a fix is due.
    public var due: Instant?
    /// The method that needs it.
    public var what: String?

    public init(at: Instant, reason: Reason, due: Instant? = nil, what: String? = nil) {
      self.at = at
      self.reason = reason
      self.due = due
      self.what = what
    }
  }

  /// How long the receiver takes from its start to the first fix.
  public struct StartTimes: Hashable, Sendable {
    /// The last start that was learned, since the daemon started.
    public var last: Duration?
    /// After less than 2 hours off, less than 4 hours, and longer; `nil`: nothing is known of such starts.
    public var hot: StartTime?
    public var warm: StartTime?
    public var cold: StartTime?

    public init(last: Duration? = nil, hot: StartTime? = nil, warm: StartTime? = nil, cold: StartTime? = nil) {
      self.last = last
      self.hot = hot
      self.warm = warm
      self.cold = cold
    }
  }

  /// The starts after a similar time off.
  public struct StartTime: Hashable, Sendable {
    /// How many starts are known.
    public var count: Int
    /// Their average time.
    public var mean: Duration
    /// The time in which 99.5 % of them are over, as far as is known.
    public var most: Duration

    public init(count: Int, mean: Duration, most: Duration) {
      self.count = count
      self.mean = mean
      self.most = most
    }
  }
}
