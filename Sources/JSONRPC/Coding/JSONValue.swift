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

extension JSONValue: WireValue {
  public static let codec: Codec<JSONValue> = Codec(
    .any, write: { value, writer in value.write(&writer) },
    read: { (view: JSONView, _: ReadingContext) throws(CodingFailure) -> JSONValue in try JSONValue(view) })

  private func write(_ writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .boolean(let boolean): writer.boolean(boolean)
    case .integer(let integer): writer.integer(integer)
    case .number(let number): writer.number(number)
    case .string(let string): writer.string(string)
    case .array(let array):
      writer.openArray()
      for value in array {
        writer.element()
        value.write(&writer)
      }
      writer.closeArray()
    case .object(let object):
      writer.openObject()
      for (name, value) in object.sorted(by: { $0.key < $1.key }) {
        writer.key(name)
        value.write(&writer)
      }
      writer.closeObject()
    }
  }

  package init(_ view: JSONView) throws(CodingFailure) {
    switch view.scalar {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(number)
    case .outOfRange: throw .found("\(view)", expected: "a number of at most 1.8e308")
    case .string: self = .string(view.string ?? "")
    case .array:
      var values: [JSONValue] = []
      for element in view.elements { values.append(try JSONValue(element)) }
      self = .array(values)
    case .object:
      var members: [String: JSONValue] = [:]
      for (key, value) in view.members {
        guard let name = key.string, members[name] == nil else { continue }
        members[name] = try JSONValue(value)
      }
      self = .object(members)
    }
  }
}
