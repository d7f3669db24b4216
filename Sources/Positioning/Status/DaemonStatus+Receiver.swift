extension DaemonStatus {
  /// The receiver, and whether it gives fixes.
  public struct Receiver: Hashable, Sendable {
    /// Its path; absent where gpsd has none.
    public var device: String?
    /// What gpsd takes it for.
    public var driver: String?
    /// Why there is or is not a fresh fix.
    public var availability: Availability
    /// Since when that has held.
    public var since: Instant

    public init(device: String? = nil, driver: String? = nil, availability: Availability, since: Instant) {
      self.device = device
      self.driver = driver
      self.availability = availability
      self.since = since
    }
  }

  /// The connection to gpsd.
  public struct Gpsd: Hashable, Sendable {
    /// Where it stands.
    public var state: GpsdState
    /// What it does, in words, where there is something to say.
    public var detail: String?
    /// What gpsd calls its release; absent until it has said so.
    public var version: String?
    /// How often the connection had to be made again since the daemon started.
    public var reconnects: Int

    public init(state: GpsdState, detail: String? = nil, version: String? = nil, reconnects: Int = 0) {
      self.state = state
      self.detail = detail
      self.version = version
      self.reconnects = reconnects
    }
  }

  /// What became of the receiver's reports since the daemon started.
  public struct Reports: Hashable, Sendable {
    /// Reports of a position, or that there is none.
    public var received: Int
    /// Those that became a fix.
    public var fixes: Int
    /// Those that did not, counted by reason.
    public var rejected: [String: Int]

    public init(received: Int, fixes: Int, rejected: [String: Int]) {
      self.received = received
      self.fixes = fixes
      self.rejected = rejected
    }
  }

  /// The newest fix, without telling where it was.
  public struct LastFix: Hashable, Sendable {
    /// When the report arrived.
    public var arrival: Instant
    /// The finest level that it reaches.
    public var level: AccuracyLevel?
    /// How its horizontal accuracy came to be known; absent where none was told.
    public var accuracySource: AccuracySource?

    public init(arrival: Instant, level: AccuracyLevel? = nil, accuracySource: AccuracySource? = nil) {
      self.arrival = arrival
      self.level = level
      self.accuracySource = accuracySource
    }
  }
}
