/// Describes messages as an OpenRPC document (spec.open-rpc.org, version 1.3), from the tables of their types.
///
/// OpenRPC has no section for messages of the server; these are under `x-notifications` and, if the client must answer,
/// `x-requests`, in the form of methods.
public struct OpenRPCDocument: Sendable {
  public var title: String
  /// The protocol's version, not the program's.
  public var version: String
  /// The messages of clients.
  public var methods: MethodRegistry
  /// The messages of the server.
  public var unasked: MethodRegistry
  /// The objects that schemas refer to by name.
  public var objects: [(name: String, fields: [FieldDescription])]

  public init(
    title: String, version: String, methods: MethodRegistry, unasked: MethodRegistry,
    objects: [(name: String, fields: [FieldDescription])]
  ) {
    self.title = title
    self.version = version
    self.methods = methods
    self.unasked = unasked
    self.objects = objects
  }

  public var json: JSONValue {
    let requests = self.methods.requests.map { OpenRPCDocument.describe($0) }
    // A method without a result is a notification.
    let notifications = self.methods.notifications.map { OpenRPCDocument.describe(notification: $0) }
    let schemas = self.objects.map { ($0.name, Schema.jsonSchema(of: $0.fields)) }
    return [
      "openrpc": "1.3.2",
      "info": ["title": .string(self.title), "version": .string(self.version)],
      "methods": .array(requests + notifications),
      "x-requests": .array(self.unasked.requests.map { OpenRPCDocument.describe($0) }),
      "x-notifications": .array(self.unasked.notifications.map { OpenRPCDocument.describe(notification: $0) }),
      "components": [
        "schemas": .object(Dictionary(uniqueKeysWithValues: schemas)),
        "errors": .object(Dictionary(uniqueKeysWithValues: RPCError.Code.named.map { OpenRPCDocument.describe($0) })),
      ],
    ]
  }

  private static func describe(_ type: any RequestType.Type) -> JSONValue {
    var method = self.members(of: type)
    method["result"] = [
      "name": .string(type.result.name), "description": .string(type.result.description),
      "schema": type.result.schema.jsonSchema,
    ]
    method["x-allowedInBatch"] = .boolean(type.isAllowedInBatch)
    return .object(method)
  }

  private static func describe(notification type: any NotificationType.Type) -> JSONValue {
    .object(self.members(of: type))
  }

  private static func members(of type: any MessageType.Type) -> [String: JSONValue] {
    [
      "name": .string(type.method), "summary": .string(type.summary), "paramStructure": "by-name",
      "params": .array(
        type.parameters.map { field in
          [
            "name": .string(field.name), "description": .string(field.description),
            "required": .boolean(field.isRequired), "schema": field.jsonSchema,
          ]
        }),
    ]
  }

  private static func describe(_ error: (code: RPCError.Code, name: String)) -> (String, JSONValue) {
    (error.name, ["code": .integer(error.code.rawValue), "message": .string(error.name)])
  }
}
