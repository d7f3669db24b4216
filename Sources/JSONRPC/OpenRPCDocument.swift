/// Describes messages as an OpenRPC document (spec.open-rpc.org, version 1.3), from the tables of their types.
///
/// OpenRPC has no section for messages of the server; these are under `x-notifications` and, if the client must answer,
/// `x-requests`, in the form of methods. A method without a result is a notification, but readers of OpenRPC want a result
/// of each; so the client's notifications are under `x-clientNotifications`.
public struct OpenRPCDocument: Sendable {
  public var title: String
  /// What it is and how it is reached, in a few sentences.
  public var description: String
  /// Where it is reached, as a URL.
  public var server: String
  /// The protocol's version, not the program's.
  public var version: String
  /// The messages of clients.
  public var methods: MethodRegistry
  /// The messages of the server.
  public var unasked: MethodRegistry
  /// The objects that schemas refer to by name.
  public var objects: [(name: String, fields: [FieldDescription])]

  public init(
    title: String, description: String, server: String, version: String, methods: MethodRegistry,
    unasked: MethodRegistry, objects: [(name: String, fields: [FieldDescription])]
  ) {
    self.title = title
    self.description = description
    self.server = server
    self.version = version
    self.methods = methods
    self.unasked = unasked
    self.objects = objects
  }

  public var json: JSONValue {
    let schemas = self.objects.map { ($0.name, Schema.jsonSchema(of: $0.fields)) }
    return [
      "openrpc": .string(Self.specification),
      "info": self.info,
      "servers": [["name": .string(self.title), "url": .string(self.server)]],
      "methods": .array(self.methods.requests.map { self.describe($0) }),
      "x-clientNotifications": .array(self.methods.notifications.map { Self.describe(notification: $0) }),
      "x-requests": .array(self.unasked.requests.map { self.describe($0) }),
      "x-notifications": .array(self.unasked.notifications.map { Self.describe(notification: $0) }),
      "components": [
        "schemas": .object(Dictionary(uniqueKeysWithValues: schemas)),
        "errors": .object(Dictionary(uniqueKeysWithValues: RPCError.Code.named.map { Self.describe($0) })),
      ],
    ]
  }

  private static let specification = "1.3.2"

  private var info: JSONValue {
    ["title": .string(self.title), "description": .string(self.description), "version": .string(self.version)]
  }

  private func describe(_ type: any RequestType.Type) -> JSONValue {
    var method = Self.members(of: type)
    method["result"] = [
      "name": .string(type.result.name), "description": .string(type.result.description),
      "schema": type.result.schema.jsonSchema,
    ]
    // Readers of OpenRPC want the errors themselves, not references to them.
    let errors = RPCError.Code.named.filter { type.errors.contains($0.code) }
    if !errors.isEmpty { method["errors"] = .array(errors.map { Self.describe($0).1 }) }
    method["examples"] = [self.example(of: type)]
    method["x-allowedInBatch"] = .boolean(type.isAllowedInBatch)
    return .object(method)
  }

  private static func describe(notification type: any NotificationType.Type) -> JSONValue {
    .object(self.members(of: type))
  }

  // MARK: Examples

  /// A request and its result, of the examples in the tables.
  private func example(of type: any RequestType.Type) -> JSONValue {
    let params = type.parameters.filter { $0.isRequired || type.usual.contains($0.name) }
    return [
      "name": .string(type.method),
      "params": .array(params.map { ["name": .string($0.name), "value": $0.example] }),
      "result": [
        "name": .string(type.result.name), "value": self.example(of: type.result.schema, usual: type.usual),
      ],
    ]
  }

  private func example(of schema: Schema, usual: Set<String>) -> JSONValue {
    switch schema {
    case .object(let fields):
      let members = fields.filter { $0.isRequired || usual.contains($0.name) }.map { ($0.name, $0.example) }
      return .object(Dictionary(uniqueKeysWithValues: members))
    case .reference(let name):
      return self.example(of: .object(self.objects.first { $0.name == name }?.fields ?? []), usual: usual)
    // The only result without a table is this document.
    case .any: return ["openrpc": .string(Self.specification), "info": self.info, "methods": []]
    case .boolean, .integer, .number, .string, .choice, .time, .requestID, .either, .array, .dictionary:
      preconditionFailure("A result is an object")
    }
  }

  private static func members(of type: any MessageType.Type) -> [String: JSONValue] {
    [
      "name": .string(type.method), "summary": .string(type.summary), "paramStructure": "by-name",
      "params": .array(
        type.parameters.map { field in
          [
            "name": .string(field.name), "description": .string(field.description),
            "required": .boolean(field.isRequired), "schema": self.schema(of: field),
          ]
        }),
    ]
  }

  /// The schema without the description that stands beside it.
  private static func schema(of field: FieldDescription) -> JSONValue {
    guard case .object(var schema) = field.jsonSchema else { return field.jsonSchema }
    if schema["description"] == .string(field.description) { schema["description"] = nil }
    return .object(schema)
  }

  private static func describe(_ error: (code: RPCError.Code, name: String)) -> (String, JSONValue) {
    (error.name, ["code": .integer(error.code.rawValue), "message": .string(error.name)])
  }
}
