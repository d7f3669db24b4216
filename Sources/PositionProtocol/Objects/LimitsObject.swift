public import JSONRPC

/// The limits of a client.
public struct LimitsObject: WireObject, Hashable {
  /// Bytes of one message to the daemon.
  public var frame: Int
  /// Messages in one batch.
  public var batch: Int
  /// Requests in flight on one connection.
  public var requests: Int
  /// Subscriptions on one connection.
  public var subscriptions: Int
  /// Regions of one user.
  public var regions: Int?
  /// Durable names of one user.
  public var names: Int?
  /// The most events that wait under one durable name; beyond it the oldest are dropped.
  public var inboxEvents: Int?
  /// The longest time in seconds that a request may wait.
  public var maxRequestTime: Double

  public init(
    frame: Int, batch: Int, requests: Int, subscriptions: Int, regions: Int? = nil, names: Int? = nil,
    inboxEvents: Int? = nil, maxRequestTime: Double
  ) {
    self.frame = frame
    self.batch = batch
    self.requests = requests
    self.subscriptions = subscriptions
    self.regions = regions
    self.names = names
    self.inboxEvents = inboxEvents
    self.maxRequestTime = maxRequestTime
  }

  public static let wire = ObjectCodec<LimitsObject>(
    "Limits", blank: LimitsObject(frame: 0, batch: 0, requests: 0, subscriptions: 0, maxRequestTime: 0)
  ) {
    Field.required("frame", \.frame, .integer(minimum: 1), example: 65536, "Bytes of one message to the daemon.")
    Field.required("batch", \.batch, .integer(minimum: 1), example: 256, "Messages in one batch.")
    Field.required(
      "requests", \.requests, .integer(minimum: 1), example: 256,
      "Requests in flight on one connection.")
    Field.required(
      "subscriptions", \.subscriptions, .integer(minimum: 1), example: 256,
      "Subscriptions on one connection.")
    Field.optional("regions", \.regions, .integer(minimum: 1), example: 10000, "Regions of one user.")
    Field.optional("names", \.names, .integer(minimum: 1), example: 32, "Durable names of one user.")
    Field.optional(
      "inboxEvents", \.inboxEvents, .integer(minimum: 1), example: 1000,
      "The most events that wait under one durable name; beyond it the oldest are dropped.")
    Field.required(
      "maxRequestTime", \.maxRequestTime, .number(.seconds), example: 3600,
      "The longest time in seconds that a request may wait.")
  }
}
