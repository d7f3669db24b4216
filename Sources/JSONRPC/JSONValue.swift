/// Any JSON value, for what has no type of its own: an error's data, a self-description, a raw call.
///
/// Decoding costs grow with the depth of nesting, so a server never decodes a peer's text to it unasked.
public enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// Finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    switch try ShallowValue(from: decoder) {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(number)
    case .string(let string): self = .string(string)
    case .array: self = .array(try [JSONValue](from: decoder))
    case .object: self = .object(try [String: JSONValue](from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let boolean): try container.encode(boolean)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    case .array(let array): try container.encode(array)
    case .object(let object): try container.encode(object)
    }
  }
}

extension JSONValue {
  /// The member of an object; `nil` for anything else.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  /// Reads a whole text.
  ///
  /// - Throws: `RPCError` -32700 that says where the text goes wrong.
  public init(parsing text: [UInt8]) throws {
    do {
      try JSONScanner.check(text)
    } catch {
      throw RPCError.parseError(error, in: text)
    }
    self = try JSONText.decode(JSONValue.self, from: text)
  }

  /// The value as a text of one line, its keys sorted.
  ///
  /// - Precondition: every number is finite.
  public func encoded() -> [UInt8] { JSONText.encode(self) }
}
