/// Any JSON value, for data without a type of its own: an error's data, a self-description, a call by name.
///
/// Decoding costs grow with the depth of nesting, so a server does not decode a peer's text into it unless it has to.
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
  /// Parses a whole text.
  ///
  /// - Throws: `RPCError` -32700 with the position of the syntax error.
  public init(parsing text: [UInt8]) throws(RPCError) {
    self = try JSONValue.codec.decode(text)
  }

  /// The value as a text of one line, with sorted keys.
  ///
  /// - Precondition: All numbers are finite.
  public func encoded() -> [UInt8] {
    do {
      return try JSONValue.codec.encode(self)
    } catch {
      preconditionFailure("A value that has no JSON was to be written: \(error)")
    }
  }
}
