public import JSONRPC

/// Tells the daemon who asks and what for, and tells what it can do; optional.
public struct SessionHelloRequest: RequestType, Hashable {
  public static let method = "session.hello"
  public static let summary = "Tells the daemon who asks and what for, and tells what it can do; optional."

  /// What the program calls itself.
  public var name: String?
  /// What it wants positions for.
  public var purpose: String?

  public init(name: String? = nil, purpose: String? = nil) {
    self.name = name
    self.purpose = purpose
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "name", .string(maximumBytes: 64), .optional, example: "tracker",
      "What the program calls itself."),
    FieldDescription(
      "purpose", .string(maximumBytes: 256), .optional, example: "Shows the boat on the chart",
      "What it wants positions for."),
  ]

  /// Who answers, and what the client may do.
  public struct Result: DescribedObject {
    /// What answers.
    public var server: Server
    /// The protocol's version; within a major version it only grows.
    public var protocolVersion: String
    /// What the daemon can do beyond this protocol's first version.
    public var capabilities: [String]
    /// Who the client is.
    public var principal: PrincipalObject
    /// What it may know.
    public var authorization: AuthorizationObject
    /// What it may run into.
    public var limits: LimitsObject

    public init(
      server: Server, protocolVersion: String, capabilities: [String], principal: PrincipalObject,
      authorization: AuthorizationObject, limits: LimitsObject
    ) {
      self.server = server
      self.protocolVersion = protocolVersion
      self.capabilities = capabilities
      self.principal = principal
      self.authorization = authorization
      self.limits = limits
    }

    private enum CodingKeys: String, CodingKey {
      case server
      case protocolVersion = "protocol"
      case capabilities
      case principal
      case authorization
      case limits
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "server", .object(Server.fields), example: DescribedExample.of(Server.self),
        "What answers."),
      FieldDescription(
        "protocol", .string(maximumBytes: nil), example: "1.0",
        "The protocol's version; within a major version it only grows."),
      FieldDescription(
        "capabilities", .array(.string(maximumBytes: nil)), example: ["position", "sky", "heading", "status"],
        "What the daemon can do beyond this protocol's first version."),
      FieldDescription(
        "principal", .reference(PrincipalObject.schemaName), example: DescribedExample.of(PrincipalObject.self),
        "Who the client is."),
      FieldDescription(
        "authorization", .reference(AuthorizationObject.schemaName),
        example: DescribedExample.of(AuthorizationObject.self),
        "What it may know."),
      FieldDescription(
        "limits", .reference(LimitsObject.schemaName), example: DescribedExample.of(LimitsObject.self),
        "What it may run into."),
    ]
  }

  public static let result = ResultDescription(
    "result", .object(Result.fields), "Who answers, and what the client may do.")

  /// The program that answers.
  public struct Server: DescribedObject {
    /// Its name.
    public var name: String
    /// Its version.
    public var version: String

    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "name", .string(maximumBytes: nil), example: "positiond",
        "Its name."),
      FieldDescription(
        "version", .string(maximumBytes: nil), example: "0.1.0",
        "Its version."),
    ]
  }
}
