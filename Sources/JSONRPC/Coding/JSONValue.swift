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
  public init(parsing text: [UInt8]) throws(RPCError) {
    self = try JSONValue.codec.decode(text)
  }

  /// The value as a text of one line, its keys sorted.
  ///
  /// - Precondition: every number is finite.
  public func encoded() -> [UInt8] {
    do {
      return try JSONValue.codec.encode(self)
    } catch {
      preconditionFailure("A value that has no JSON was to be written: \(error)")
    }
  }
}
