/// The values that a member may have: checked when read, and shown in the self-description.
public indirect enum Schema: Hashable, Sendable {
  case boolean
  case integer(minimum: Int?)
  case number(NumberRange)
  /// At most so many bytes of UTF-8.
  case string(maximumBytes: Int?)
  /// One of these strings.
  case choice([String])
  /// ISO 8601, UTC.
  case time
  /// A string or an integer, as a request's id is.
  case requestID
  case either(Schema, Schema)
  case array(Schema)
  case object([FieldDescription])
  /// An object with any members.
  case dictionary(Schema)
  /// An object that the self-description describes under a name.
  case reference(String)
  case any

  /// The accepted numbers, and their unit in the plural.
  public struct NumberRange: Hashable, Sendable {
    public enum Lower: Hashable, Sendable {
      case none
      case above(Double)
      case from(Double)
    }

    public var lower: Lower
    /// Inclusive.
    public var maximum: Double?
    public var unit: String?

    public init(_ lower: Lower, maximum: Double? = nil, unit: String? = nil) {
      self.lower = lower
      self.maximum = maximum
      self.unit = unit
    }

    package func contains(_ number: Double) -> Bool {
      if let maximum = self.maximum, number > maximum { return false }
      return switch self.lower {
      case .none: true
      case .above(let bound): number > bound
      case .from(let bound): number >= bound
      }
    }
  }
}

extension Schema {
  /// The expected value, as the end of a sentence that begins with "expected".
  public var expectation: String {
    switch self {
    case .boolean: "true or false"
    case .integer(nil): "an integer"
    case .integer(let minimum?): "an integer of at least \(minimum)"
    case .number(let range): range.expectation
    case .string(nil): "a string"
    case .string(let bytes?): "a string of at most \(bytes) bytes"
    case .choice(let choices): "one of \(choices.joined(separator: ", "))"
    case .time: "a time such as 2026-01-31T12:00:00.000Z"
    case .requestID: "a string or an integer"
    case .either(let first, let second): "\(first.expectation) or \(second.expectation)"
    case .array: "an array"
    case .object, .dictionary, .reference: "an object"
    case .any: "a value"
    }
  }
}

extension Schema.NumberRange {
  var expectation: String {
    let noun = self.unit.map { "\($0)" } ?? "a number"
    return switch (self.lower, self.maximum) {
    case (.none, nil): self.unit.map { "a number of \($0)" } ?? "a number"
    case (.none, let maximum?): "\(noun) up to \(JSONView.text(of: maximum))"
    case (.above(let bound), nil): "\(noun) greater than \(JSONView.text(of: bound))"
    case (.above(let bound), let maximum?):
      "\(noun) greater than \(JSONView.text(of: bound)) and up to \(JSONView.text(of: maximum))"
    case (.from(let bound), nil): "\(noun) of at least \(JSONView.text(of: bound))"
    case (.from(let bound), let maximum?): "\(noun) from \(JSONView.text(of: bound)) to \(JSONView.text(of: maximum))"
    }
  }
}

/// The description of one member of an object on the wire: a parameter, or a part of a result.
public struct FieldDescription: Hashable, Sendable {
  public enum Presence: Hashable, Sendable {
    case required
    /// Absent means unknown or not applicable.
    case optional
    /// Absent means this value.
    case defaulted(JSONValue)
  }

  public var name: String
  public var schema: Schema
  public var presence: Presence
  /// One sentence, with the unit.
  public var description: String
  /// A value in its form on the wire.
  public var example: JSONValue

  public init(
    _ name: String, _ schema: Schema, _ presence: Presence = .required, example: JSONValue, _ description: String
  ) {
    self.name = name
    self.schema = schema
    self.presence = presence
    self.description = description
    self.example = example
  }

  public var isRequired: Bool { self.presence == .required }
}

/// The description of a request's result.
public struct ResultDescription: Hashable, Sendable {
  public var name: String
  public var schema: Schema
  public var description: String

  public init(_ name: String, _ schema: Schema, _ description: String) {
    self.name = name
    self.schema = schema
    self.description = description
  }
}

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
