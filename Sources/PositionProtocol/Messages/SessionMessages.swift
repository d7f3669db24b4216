public import JSONRPC
public import Positioning

/// Introduces the client, and returns what the daemon can do; optional.
public struct SessionHelloRequest: RequestType, WireObject, Hashable {
  public static let method = "session.hello"
  public static let summary = "Introduces the client, and returns what the daemon can do; optional."
  public static let usual: Set<String> = ["name", "purpose"]

  /// The program's own name for itself.
  public var name: String?
  /// What the program needs positions for.
  public var purpose: String?
  /// The number of the user for whom this connection asks; in its first request, by a rule with relay=yes.
  public var onBehalfOf: UInt32?

  public init(name: String? = nil, purpose: String? = nil, onBehalfOf: UInt32? = nil) {
    self.name = name
    self.purpose = purpose
    self.onBehalfOf = onBehalfOf
  }

  public static let wire = ObjectCodec<SessionHelloRequest>(blank: SessionHelloRequest()) {
    Field.optional("name", \.name, .string(maximumBytes: 64), example: "tracker", "The program's own name for itself.")
    Field.optional(
      "purpose", \.purpose, .string(maximumBytes: 256), example: "Shows the boat on the chart",
      "What the program needs positions for.")
    Field.optional(
      "onBehalfOf", \.onBehalfOf, .integer(minimum: 0), example: 1000,
      "The number of the user for whom this connection asks; in its first request, by a rule with relay=yes.")
  }

  /// The daemon's version and features, and what the client may do.
  public struct Result: WireObject, Hashable {
    /// The program that answers.
    public var server: Server
    /// The protocol's version; a major version is only ever extended.
    public var protocolVersion: String
    /// The daemon's features beyond the protocol's first version.
    public var capabilities: [String]
    /// Who the client is.
    public var principal: Principal
    /// What it may know.
    public var authorization: Authorization
    /// The client's limits.
    public var limits: LimitsObject

    public init(
      server: Server, protocolVersion: String, capabilities: [String], principal: Principal,
      authorization: Authorization, limits: LimitsObject
    ) {
      self.server = server
      self.protocolVersion = protocolVersion
      self.capabilities = capabilities
      self.principal = principal
      self.authorization = authorization
      self.limits = limits
    }

    public static let wire = ObjectCodec<Result>(
      blank: Result(
        server: Server.wire.blank, protocolVersion: "", capabilities: [], principal: Principal.wire.blank,
        authorization: Authorization.wire.blank, limits: LimitsObject.wire.blank)
    ) {
      Field.required("server", \.server, Server.codec, example: Server.example, "The program that answers.")
      Field.required(
        "protocol", \.protocolVersion, .string, example: "1.0",
        "The protocol's version; a major version is only ever extended.")
      Field.required(
        "capabilities", \.capabilities, .array(of: .string), example: ["position", "sky", "heading", "status"],
        "The daemon's features beyond the protocol's first version.")
      Field.required(
        "principal", \.principal, Principal.codec, example: Principal.example,
        "Who the client is.")
      Field.required(
        "authorization", \.authorization, Authorization.codec, example: Authorization.example,
        "What it may know.")
      Field.required("limits", \.limits, LimitsObject.codec, example: LimitsObject.example, "The client's limits.")
    }
  }

  public static let result = ResultDescription(
    "result", Result.wire.schema, "The daemon's version and features, and what the client may do.")

  /// The program that answers.
  public struct Server: WireObject, Hashable {
    /// Its name.
    public var name: String
    /// Its version.
    public var version: String

    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }

    public static let wire = ObjectCodec<Server>(blank: Server(name: "", version: "")) {
      Field.required("name", \.name, .string, example: "positiond", "Its name.")
      Field.required("version", \.version, .string, example: "0.1.0", "Its version.")
    }
  }
}

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

/// Describes the protocol as an OpenRPC document.
public struct DiscoverRequest: RequestType, WireObject, Hashable {
  public static let method = "rpc.discover"
  public static let summary = "Describes the protocol as an OpenRPC document."

  public init() {}

  public static let wire = ObjectCodec<DiscoverRequest>(blank: DiscoverRequest()) {}

  public typealias Result = JSONValue
  public static let result = ResultDescription("document", .any, "An OpenRPC document.")
}

/// The daemon closes the connection.
public struct SessionClosingNotification: NotificationType, WireObject, Hashable {
  public static let method = "session.closing"
  public static let summary = "The daemon closes the connection."

  /// Why.
  public var reason: ClosingReason

  public init(reason: ClosingReason) {
    self.reason = reason
  }

  public static let wire = ObjectCodec<SessionClosingNotification>(
    blank: SessionClosingNotification(reason: ClosingReason(rawValue: ""))
  ) {
    Field.required("reason", \.reason, ClosingReason.codec, example: "shuttingDown", "Why.")
  }
}

/// Why the daemon closes a connection. Later versions may know more.
public struct ClosingReason: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The daemon is stopping.
  public static let shuttingDown = Self(rawValue: "shuttingDown")
  /// The client did not read, and more bytes wait for it than the limit allows.
  public static let tooSlow = Self(rawValue: "tooSlow")
  /// The limit of clients is reached, and this one makes room for another: it is idle and without permission, or its user
  /// has the most clients.
  public static let makingRoom = Self(rawValue: "makingRoom")
}

extension ClosingReason {
  static let codec = Codec<ClosingReason>.openWord { ClosingReason(rawValue: $0) }
}
