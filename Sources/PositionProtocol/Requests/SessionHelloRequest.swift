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
  /// The number of the user for whom this connection asks from now on; only in a connection's first request, and only of
  /// a client whose rule has `relay=yes`.
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
