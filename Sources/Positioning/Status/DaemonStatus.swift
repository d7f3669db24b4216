/// The status of the daemon and its receiver.
public struct DaemonStatus: Hashable, Sendable {
  /// The daemon's version.
  public var version: String
  /// When the daemon started.
  public var began: Instant
  /// The receiver.
  public var receiver: Receiver
  /// Its power.
  public var power: Power
  /// The connection to gpsd.
  public var gpsd: Gpsd
  /// Why the receiver is on; absent if nobody needs it.
  public var demand: Demands?
  /// The users whose programs get positions, as far as the client may know; at most 64.
  public var inUse: [InUse]
  /// The receiver's reports by result.
  public var reports: Reports
  /// The newest fix.
  public var lastFix: LastFix?
  /// The last error; absent once the part that failed works again.
  public var lastError: LastError?
  /// Connections.
  public var clients: Int
  /// Requests in flight.
  public var requests: Int
  /// Subscriptions.
  public var subscriptions: Int

  public init(
    version: String, began: Instant, receiver: Receiver, power: Power, gpsd: Gpsd, demand: Demands? = nil,
    inUse: [InUse] = [], reports: Reports, lastFix: LastFix? = nil, lastError: LastError? = nil, clients: Int,
    requests: Int, subscriptions: Int
  ) {
    self.version = version
    self.began = began
    self.receiver = receiver
    self.power = power
    self.gpsd = gpsd
    self.demand = demand
    self.inUse = inUse
    self.reports = reports
    self.lastFix = lastFix
    self.lastError = lastError
    self.clients = clients
    self.requests = requests
    self.subscriptions = subscriptions
  }

  /// How long the daemon has run.
  public func uptime(at now: Instant) -> Duration { now - self.began }

  /// The parts of the status that a status update names.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case receiver, power, gpsd, demand, lastError
    /// The numbers of clients, requests and subscriptions.
    case clients
    /// The users whose programs get positions.
    case inUse
  }

  /// The last error.
  public struct LastError: Hashable, Sendable {
    /// What can fail.
    public enum Part: String, Hashable, Sendable, CaseIterable {
      /// The way to the receiver.
      case receiver
      /// What must outlive the daemon.
      case store
    }

    /// What failed; `nil`: the daemon does not say.
    public var part: Part?
    /// In words.
    public var message: String
    public var at: Instant

    public init(part: Part? = nil, message: String, at: Instant) {
      self.part = part
      self.message = message
      self.at = at
    }
  }
}
