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
  /// Whether this machine's clock is kept right; absent if nothing is known of it.
  public var clock: Clock?
  /// Connections.
  public var clients: Int
  /// Requests in flight.
  public var requests: Int
  /// Subscriptions.
  public var subscriptions: Int
  /// Calls that were refused for want of permission, since it started.
  public var denials: Int

  public init(
    version: String, began: Instant, receiver: Receiver, power: Power, gpsd: Gpsd, demand: Demands? = nil,
    inUse: [InUse] = [], reports: Reports, lastFix: LastFix? = nil, lastError: LastError? = nil, clock: Clock? = nil,
    clients: Int, requests: Int, subscriptions: Int, denials: Int = 0
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
    self.clock = clock
    self.clients = clients
    self.requests = requests
    self.subscriptions = subscriptions
    self.denials = denials
  }

  /// How long the daemon has run.
  public func uptime(at now: Instant) -> Duration { now - self.began }

  /// The parts of the status that a status update names.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case receiver, power, gpsd, demand, lastError, clock
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
    /// Whether its fixes can be trusted; `nil`: nothing speaks for or against them.
    public var integrity: Integrity?
    /// What speaks against them.
    public var integrityReasons: IntegrityReasons

    public init(
      device: String? = nil, driver: String? = nil, availability: Availability, since: Instant,
      problem: ReceiverProblem? = nil, lag: Duration? = nil, integrity: Integrity? = nil,
      integrityReasons: IntegrityReasons = []
    ) {
      self.device = device
      self.driver = driver
      self.availability = availability
      self.since = since
      self.problem = problem
      self.lag = lag
      self.integrity = integrity
      self.integrityReasons = integrityReasons
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
    /// Where the daemon expects it.
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

extension DaemonStatus {
  /// Whether the receiver uses power, and for how much of the time it did.
  public struct Power: Hashable, Sendable {
    /// The receiver's power, as far as it is known.
    public var current: PowerState
    /// How long the receiver was on since the daemon started.
    public var onTime: Duration
    /// The share of the time that the receiver was on.
    public var dutyCycle: DutyCycle
    /// How often the receiver was started.
    public var starts: Starts
    /// When the receiver was on last, the oldest first; at most 32 periods.
    public var periods: [OnPeriod]
    /// When the receiver is turned on next; `nil` if that is not known.
    public var nextStart: NextStart?
    /// How long its starts take, by how long it was off before.
    public var timeToFirstFix: StartTimes

    public init(
      current: PowerState, onTime: Duration, dutyCycle: DutyCycle, starts: Starts, periods: [OnPeriod] = [],
      nextStart: NextStart? = nil, timeToFirstFix: StartTimes = StartTimes()
    ) {
      self.current = current
      self.onTime = onTime
      self.dutyCycle = dutyCycle
      self.starts = starts
      self.periods = periods
      self.nextStart = nextStart
      self.timeToFirstFix = timeToFirstFix
    }
  }

  /// The share of the time that the receiver was on, from 0 to 1.
  public struct DutyCycle: Hashable, Sendable {
    /// In the last hour.
    public var hour: Double
    /// In the last day.
    public var day: Double

    public init(hour: Double, day: Double) {
      self.hour = hour
      self.day = day
    }
  }

  /// How often the receiver was started since the daemon was.
  public struct Starts: Hashable, Sendable {
    /// In all.
    public var total: Int

    public init(total: Int) {
      self.total = total
    }
  }
}

extension DaemonStatus {
  /// A time in which the receiver was on.
  public struct OnPeriod: Hashable, Sendable {
    public var from: Instant
    /// When it was turned off; `nil` while it is on.
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

    /// When it is turned on.
    public var at: Instant
    public var reason: Reason
    /// When a fix is due.
    public var due: Instant?
    /// The method that needs it, or `clock`.
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
    /// After less than 2 hours off; then after less than 4 hours, and after longer. `nil`: no such start is known.
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

extension DaemonStatus {
  /// What the receiver is needed for, and by whom: the answer to "who keeps the receiver on?".
  public struct Demands: Hashable, Sendable {
    /// The finest accuracy and the shortest interval of all requests.
    public var merged: Demand
    /// The requests, if the client may know them; decisive ones first, at most 64.
    public var clients: [ClientDemand]
    /// How many requests are not listed; some are not for the client to know.
    public var omitted: Int

    public init(_ merged: Demand, clients: [ClientDemand] = [], omitted: Int = 0) {
      self.merged = merged
      self.clients = clients
      self.omitted = omitted
    }
  }

  /// One request or subscription that needs the receiver.
  public struct ClientDemand: Hashable, Sendable {
    /// The client.
    public var principal: Principal
    /// The method.
    public var what: String
    public var demand: Demand
    /// Whether this request determines the demand.
    public var isDecisive: Bool

    public init(principal: Principal, what: String, demand: Demand, isDecisive: Bool = false) {
      self.principal = principal
      self.what = what
      self.demand = demand
      self.isDecisive = isDecisive
    }
  }

  /// The most needs that are listed: every client may ask for the status, and every client may have hundreds.
  package static let maximumDemands = 64
}

extension DaemonStatus {
  /// A user whose programs get positions.
  public struct InUse: Hashable, Sendable {
    /// The user's number.
    public var uid: UInt32
    /// The user's name, if the system has one.
    public var user: String?
    /// The systemd unit, if it is certain.
    public var unit: String?
    /// The programs' own names for themselves, each once; only some if there are many.
    public var programs: [String]
    /// Since when.
    public var since: Instant

    public init(uid: UInt32, user: String? = nil, unit: String? = nil, programs: [String], since: Instant) {
      self.uid = uid
      self.user = user
      self.unit = unit
      self.programs = programs
      self.since = since
    }
  }

  /// The most users that are listed, since any user may be among them.
  package static let maximumInUse = 64
}

/// A need of the receiver; merged, the finest accuracy and the shortest interval of all.
public struct Demand: Hashable, Sendable {
  /// Metres.
  public var accuracy: Double
  /// Between two fixes.
  public var interval: Duration
  /// What moves the device.
  public var activity: Activity

  public init(accuracy: Double, interval: Duration, activity: Activity) {
    self.accuracy = accuracy
    self.interval = interval
    self.activity = activity
  }
}

/// The state of the connection to gpsd, as the protocol has it.
public enum GpsdState: String, Hashable, Sendable, CaseIterable {
  /// Not connected, because nobody needs the receiver.
  case idle
  /// Connecting, or waiting for gpsd to open the receiver.
  case opening
  /// Reports flow.
  case streaming
  /// gpsd has no device, or the device sends nothing.
  case receiverMissing
  /// gpsd serves as many clients as it can.
  case gpsdFull
  /// gpsd cannot be reached.
  case gpsdDown
  /// Unknown to a client: a later daemon sent a value that it does not know. No daemon sends it.
  case unknown

  /// The values that a daemon sends.
  public static let allCases: [GpsdState] = [.idle, .opening, .streaming, .receiverMissing, .gpsdFull, .gpsdDown]
}
