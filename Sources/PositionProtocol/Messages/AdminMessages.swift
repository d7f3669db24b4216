public import JSONRPC
public import Positioning

/// Lists the connected clients, what each may know and what it has open; for administrators.
public struct AdminClientsRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.clients"
  public static let summary =
    "Lists the connected clients, what each may know and what it has open; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]

  public init() {}

  public static let wire = ObjectCodec<AdminClientsRequest>(blank: AdminClientsRequest()) {}

  /// The connected clients.
  public struct Result: WireObject, Hashable {
    /// In the order in which they connected.
    public var clients: [ClientInfo]
    /// How many are not listed; absent if all are.
    public var omitted: Int?

    public init(clients: [ClientInfo], omitted: Int? = nil) {
      self.clients = clients
      self.omitted = omitted
    }

    public static let wire = ObjectCodec<Result>(blank: Result(clients: [])) {
      Field.required(
        "clients", \.clients, .array(of: ClientInfo.codec), example: [ClientInfo.example],
        "In the order in which they connected.")
      Field.optional(
        "omitted", \.omitted, .integer(minimum: 1), example: 12,
        "How many are not listed; absent if all are.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "The connected clients.")
}

/// Lists the decisions of persons and administrators; for administrators.
public struct AdminGrantsRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.grants"
  public static let summary = "Lists the decisions of persons and administrators; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]

  public init() {}

  public static let wire = ObjectCodec<AdminGrantsRequest>(blank: AdminGrantsRequest()) {}

  /// The decisions.
  public struct Result: WireObject, Hashable {
    /// In the order of the users' numbers.
    public var grants: [Grant]
    /// How many are not listed; absent if all are.
    public var omitted: Int?

    public init(grants: [Grant], omitted: Int? = nil) {
      self.grants = grants
      self.omitted = omitted
    }

    public static let wire = ObjectCodec<Result>(blank: Result(grants: [])) {
      Field.required(
        "grants", \.grants, .array(of: Grant.codec), example: [Grant.example],
        "In the order of the users' numbers.")
      Field.optional(
        "omitted", \.omitted, .integer(minimum: 1), example: 12,
        "How many are not listed; absent if all are.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "The decisions.")
}

/// Grants or denies a user permission, as the user's answer to a prompt would; for administrators.
public struct AdminGrantRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.grant"
  public static let summary =
    "Grants or denies a user permission, as the user's answer to a prompt would; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]
  public static let usual: Set<String> = ["precision"]

  /// The user's name or number.
  public var user: UserParameter
  /// The level for all programs of the user; `nil`: nothing.
  public var level: AuthorizationLevel?
  /// How precisely they may know the position; not allowed with deny.
  public var precision: Precision

  public init(user: UserParameter, level: AuthorizationLevel?, precision: Precision = .precise) {
    self.user = user
    self.level = level
    self.precision = precision
  }

  public static let wire = ObjectCodec<AdminGrantRequest>(
    blank: AdminGrantRequest(user: .name(""), level: nil)
  ) {
    Field.required("user", \.user, UserParameter.codec, example: "ada", "The user's name or number.")
    Field.required(
      "level", \.level, .granted, example: "whenInUse",
      "The level for all programs of the user.")
    Field.defaulted(
      "precision", \.precision, Precision.codec, example: "reduced",
      "How precisely they may know the position; not allowed with deny."
    ).when { $0.level != nil }
  } check: { (request: inout AdminGrantRequest, view: JSONView) throws(CodingFailure) in
    guard request.level == nil, !(view["precision"]?.isNull ?? true) else { return }
    throw CodingFailure(
      path: "precision", .found("set with level deny", expected: "level whenInUse or always with it"))
  }

  public typealias Result = Grant
  public static let result = ResultDescription("grant", Grant.wire.schema, "The decision now.")
}

/// Removes the decision for a user, who may then be asked again; for administrators.
public struct AdminRevokeRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.revoke"
  public static let summary =
    "Removes the decision for a user, who may then be asked again; for administrators."
  public static let errors: [RPCError.Code] = [.restricted, .notFound]

  /// The user's name or number.
  public var user: UserParameter

  public init(user: UserParameter) {
    self.user = user
  }

  public static let wire = ObjectCodec<AdminRevokeRequest>(blank: AdminRevokeRequest(user: .name(""))) {
    Field.required("user", \.user, UserParameter.codec, example: "ada", "The user's name or number.")
  }

  public typealias Result = Grant
  public static let result = ResultDescription("grant", Grant.wire.schema, "The removed decision.")
}

/// A user of the system.
public enum UserParameter: Hashable, Sendable {
  /// A name, or a number as text if no user has that name.
  case name(String)
  case number(UInt32)
}

/// On the wire a name is text, and a number an integer.
extension UserParameter {
  /// Longer than the user names of any system.
  private static let schema = Schema.either(.string(maximumBytes: 256), .integer(minimum: 0))

  static let codec: Codec<UserParameter> = Codec(
    schema,
    write: { user, writer in
      switch user {
      case .name(let name): writer.string(name)
      case .number(let number): writer.integer(Int(number))
      }
    },
    read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> UserParameter in
      if let name = view.string, name.utf8.count <= 256 { return .name(name) }
      guard let integer = view.integer, integer >= 0 else {
        throw .found("\(view)", expected: UserParameter.schema.expectation)
      }
      guard let number = UInt32(exactly: integer) else {
        throw CodingFailure(.described("expected a number that a user can have"))
      }
      return .number(number)
    })
}

/// Turns the master switch on; for administrators.
public struct AdminEnableRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.enable"
  public static let summary = "Turns the master switch on; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]

  public init() {}

  public static let wire = ObjectCodec<AdminEnableRequest>(blank: AdminEnableRequest()) {}

  public typealias Result = EnabledResult
  public static let result = ResultDescription(
    "enabled", EnabledResult.wire.schema, "Whether positions are turned on.")
}

/// Turns the master switch off: nobody gets a position until it is on again; for administrators.
public struct AdminDisableRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.disable"
  public static let summary =
    "Turns the master switch off: nobody gets a position until it is on again; for administrators."
  public static let errors: [RPCError.Code] = [.restricted]

  public init() {}

  public static let wire = ObjectCodec<AdminDisableRequest>(blank: AdminDisableRequest()) {}

  public typealias Result = EnabledResult
  public static let result = ResultDescription(
    "enabled", EnabledResult.wire.schema, "Whether positions are turned on.")
}

/// The state of the master switch.
public struct EnabledResult: WireObject, Hashable {
  /// Whether the master switch is on; the configuration can keep it off.
  public var isEnabled: Bool
  /// False if it applies but is not stored yet because of an error: a restart may undo it until then; else absent.
  public var stored: Bool?
  /// Why earlier decisions cannot be read, if the switch was off for that reason: denials from then no longer apply and
  /// must be repeated. Absent if they could be read.
  public var unread: String?

  public init(isEnabled: Bool, stored: Bool? = nil, unread: String? = nil) {
    self.isEnabled = isEnabled
    self.stored = stored
    self.unread = unread
  }

  public static let wire = ObjectCodec<EnabledResult>("EnabledResult", blank: EnabledResult(isEnabled: false)) {
    Field.required(
      "enabled", \.isEnabled, .boolean, example: true,
      "Whether the master switch is on; the configuration can keep it off.")
    Field.optional(
      "stored", \.stored, .boolean, example: false,
      "False if it applies but is not stored yet because of an error: a restart may undo it until then; else absent.")
    Field.optional(
      "unread", \.unread, .string, example: "open /var/lib/positiond/positiond.db: it is damaged",
      "Why earlier decisions cannot be read, if the switch was off for that reason: denials from then no longer apply and "
        + "must be repeated. Absent if they could be read.")
  }
}
