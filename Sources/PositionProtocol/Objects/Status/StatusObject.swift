public import JSONRPC

/// How the daemon and its receiver do.
public struct StatusObject: WireObject, Hashable {
  /// The daemon's version.
  public var version: String
  /// Seconds since it started.
  public var uptime: Double
  /// The receiver.
  public var receiver: Receiver
  /// Its power.
  public var power: Power
  /// The connection to gpsd.
  public var gpsd: Gpsd
  /// Why the receiver is on; absent where nobody needs it.
  public var demand: Demand?
  /// Who is being given positions, as far as the client may know; no more than 64.
  public var inUse: [InUse]?
  /// What became of the receiver's reports.
  public var reports: Reports
  /// The newest fix.
  public var lastFix: LastFix?
  /// The last error; gone once what failed works again.
  public var lastError: LastError?
  /// Connections.
  public var clients: Int
  /// Requests in flight.
  public var requests: Int
  /// Subscriptions.
  public var subscriptions: Int

  public init(
    version: String, uptime: Double, receiver: Receiver, power: Power, gpsd: Gpsd, demand: Demand? = nil,
    inUse: [InUse]? = nil, reports: Reports, lastFix: LastFix? = nil, lastError: LastError? = nil, clients: Int,
    requests: Int, subscriptions: Int
  ) {
    self.version = version
    self.uptime = uptime
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

  public static let wire = ObjectCodec<StatusObject>(
    "Status",
    blank: StatusObject(
      version: "", uptime: 0, receiver: Receiver.wire.blank, power: Power.wire.blank, gpsd: Gpsd.wire.blank,
      reports: Reports.wire.blank, clients: 0, requests: 0, subscriptions: 0)
  ) {
    Field.required("version", \.version, .string, example: "0.1.0", "The daemon's version.")
    Field.required("uptime", \.uptime, .number(.nonNegative), example: 86400, "Seconds since it started.")
    Field.required("receiver", \.receiver, Receiver.codec, example: Receiver.example, "The receiver.")
    Field.required("power", \.power, Power.codec, example: Power.example, "Its power.")
    Field.required("gpsd", \.gpsd, Gpsd.codec, example: Gpsd.example, "The connection to gpsd.")
    Field.optional(
      "demand", \.demand, Demand.codec, example: Demand.example,
      "Why the receiver is on; absent where nobody needs it.")
    Field.optional(
      "inUse", \.inUse, .array(of: InUse.codec), example: [InUse.example],
      "Who is being given positions, as far as the client may know; no more than 64.")
    Field.required(
      "reports", \.reports, Reports.codec, example: Reports.example,
      "What became of the receiver's reports.")
    Field.optional("lastFix", \.lastFix, LastFix.codec, example: LastFix.example, "The newest fix.")
    Field.optional(
      "lastError", \.lastError, LastError.codec, example: LastError.example,
      "The last error; gone once what failed works again.")
    Field.required("clients", \.clients, .integer(minimum: 0), example: 3, "Connections.")
    Field.required("requests", \.requests, .integer(minimum: 0), example: 1, "Requests in flight.")
    Field.required("subscriptions", \.subscriptions, .integer(minimum: 0), example: 2, "Subscriptions.")
  }
}
