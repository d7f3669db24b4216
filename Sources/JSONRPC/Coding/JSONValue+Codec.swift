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
