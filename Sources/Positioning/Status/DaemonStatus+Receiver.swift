extension DaemonStatus {
  /// The receiver, and whether it gives fixes.
  public struct Receiver: Hashable, Sendable {
    /// The receiver's path; absent if gpsd does not have it.
    public var device: String?
    /// The receiver's type according to gpsd.
    public var driver: String?
    /// Why there is or is not a fresh fix.
    public var availability: Availability
    /// Since when.
    public var since: Instant
    /// What is wrong with its reports; `nil` if nothing is.
    public var problem: ReceiverProblem?
    /// How much later than at best its positions arrive, if that is more than usual.
    public var lag: Duration?

    public init(
      device: String? = nil, driver: String? = nil, availability: Availability, since: Instant,
      problem: ReceiverProblem? = nil, lag: Duration? = nil
    ) {
      self.device = device
      self.driver = driver
      self.availability = availability
      self.since = since
      self.problem = problem
      self.lag = lag
    }
  }

  /// The connection to gpsd.
  public struct Gpsd: Hashable, Sendable {
    /// Its state.
    public var state: GpsdState
    /// Details about the state, if there are any.
    public var detail: String?
    /// The release of gpsd; absent until gpsd has reported it.
    public var version: String?
    /// Where the daemon expects it, such as `127.0.0.1:2947`.
    public var address: String?
    /// How often the daemon has reconnected since it started.
    public var reconnects: Int

    public init(
      state: GpsdState, detail: String? = nil, version: String? = nil, address: String? = nil, reconnects: Int = 0
    ) {
      self.state = state
      self.detail = detail
      self.version = version
      self.address = address
      self.reconnects = reconnects
    }
  }

  /// The receiver's reports since the daemon started, by result.
  public struct Reports: Hashable, Sendable {
    /// Reports with a position, or without one.
    public var received: Int
    /// Reports that became a fix.
    public var fixes: Int
    /// Reports that did not, by reason.
    public var rejected: [String: Int]

    public init(received: Int, fixes: Int, rejected: [String: Int]) {
      self.received = received
      self.fixes = fixes
      self.rejected = rejected
    }
  }

  /// The newest fix, without its position.
  public struct LastFix: Hashable, Sendable {
    /// The moment from which its age counts: when the report arrived, less its lag.
    public var arrival: Instant
    /// The finest level that it reaches.
    public var level: AccuracyLevel?
    /// Where its horizontal accuracy comes from; absent if none was reported.
    public var accuracySource: AccuracySource?

    public init(arrival: Instant, level: AccuracyLevel? = nil, accuracySource: AccuracySource? = nil) {
      self.arrival = arrival
      self.level = level
      self.accuracySource = accuracySource
    }
  }
}
