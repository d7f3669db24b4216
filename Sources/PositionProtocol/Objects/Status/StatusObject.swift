public import JSONRPC

/// How the daemon and its receiver do.
public struct StatusObject: DescribedObject {
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

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "version", .string(maximumBytes: nil), example: "0.1.0",
      "The daemon's version."),
    FieldDescription(
      "uptime", .number(.nonNegative), example: 86400,
      "Seconds since it started."),
    FieldDescription(
      "receiver", .object(Receiver.fields), example: DescribedExample.of(Receiver.self),
      "The receiver."),
    FieldDescription(
      "power", .object(Power.fields), example: DescribedExample.of(Power.self),
      "Its power."),
    FieldDescription(
      "gpsd", .object(Gpsd.fields), example: DescribedExample.of(Gpsd.self),
      "The connection to gpsd."),
    FieldDescription(
      "demand", .object(Demand.fields), .optional, example: DescribedExample.of(Demand.self),
      "Why the receiver is on; absent where nobody needs it."),
    FieldDescription(
      "inUse", .array(.object(InUse.fields)), .optional, example: [DescribedExample.of(InUse.self)],
      "Who is being given positions, as far as the client may know; no more than 64."),
    FieldDescription(
      "reports", .object(Reports.fields), example: DescribedExample.of(Reports.self),
      "What became of the receiver's reports."),
    FieldDescription(
      "lastFix", .object(LastFix.fields), .optional, example: DescribedExample.of(LastFix.self),
      "The newest fix."),
    FieldDescription(
      "lastError", .object(LastError.fields), .optional, example: DescribedExample.of(LastError.self),
      "The last error; gone once what failed works again."),
    FieldDescription(
      "clients", .integer(minimum: 0), example: 3,
      "Connections."),
    FieldDescription(
      "requests", .integer(minimum: 0), example: 1,
      "Requests in flight."),
    FieldDescription(
      "subscriptions", .integer(minimum: 0), example: 2,
      "Subscriptions."),
  ]
}
