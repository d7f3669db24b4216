/// The schema as a JSON Schema, for the self-description.
extension Schema {
  var jsonSchema: JSONValue {
    switch self {
    case .boolean: ["type": "boolean"]
    case .integer(nil): ["type": "integer"]
    case .integer(let minimum?): ["type": "integer", "minimum": .integer(minimum)]
    case .number(let range): range.jsonSchema
    // JSON Schema counts characters, so the limit in bytes is in the description.
    case .string(nil): ["type": "string"]
    case .string(.some): ["type": "string", "description": .string(self.expectation)]
    case .choice(let choices): ["type": "string", "enum": .array(choices.map { .string($0) })]
    case .time: ["type": "string", "format": "date-time"]
    case .requestID: ["type": ["string", "integer"]]
    case .either(let first, let second): ["anyOf": [first.jsonSchema, second.jsonSchema]]
    case .array(let element): ["type": "array", "items": element.jsonSchema]
    case .object(let fields): Schema.jsonSchema(of: fields)
    case .dictionary(let element): ["type": "object", "additionalProperties": element.jsonSchema]
    case .reference(let name): ["$ref": .string("#/components/schemas/\(name)")]
    case .any: [:]
    }
  }

  /// An object with these members; later versions may add some.
  static func jsonSchema(of fields: [FieldDescription]) -> JSONValue {
    let members = fields.map { ($0.name, $0.jsonSchema) }
    let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
    var schema: [String: JSONValue] = [
      "type": "object", "properties": .object(Dictionary(uniqueKeysWithValues: members)),
    ]
    if !required.isEmpty { schema["required"] = .array(required) }
    return .object(schema)
  }
}

extension Schema.NumberRange {
  fileprivate var jsonSchema: JSONValue {
    var schema: [String: JSONValue] = ["type": "number"]
    switch self.lower {
    case .none: break
    case .above(let bound): schema["exclusiveMinimum"] = .number(bound)
    case .from(let bound): schema["minimum"] = .number(bound)
    }
    if let maximum = self.maximum { schema["maximum"] = .number(maximum) }
    return .object(schema)
  }
}

extension FieldDescription {
  /// The member's schema, with the table's description.
  var jsonSchema: JSONValue {
    // Older readers ignore members beside a reference, so the reference is in a list of one.
    var schema: [String: JSONValue] =
      switch self.schema.jsonSchema {
      case .object(let members) where members["$ref"] == nil: members
      case let other: ["allOf": [other]]
      }
    let words = schema["description"].map { [$0] } ?? []
    schema["description"] = .string(self.description)
    if case .string(let bound)? = words.first { schema["description"] = .string("\(self.description) (\(bound))") }
    if case .defaulted(let value) = self.presence { schema["default"] = value }
    // A named object has examples of its own.
    if schema["allOf"] == nil { schema["examples"] = [self.example] }
    return .object(schema)
  }
}
