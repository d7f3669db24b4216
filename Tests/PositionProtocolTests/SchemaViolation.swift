@testable import JSONRPC
@testable import PositionProtocol

extension Schema {
  /// Where a value does not match the schema, checked completely; `nil` if it matches.
  func violation(of value: JSONValue) -> String? {
    switch (self, value) {
    case (.array(let element), .array(let values)):
      return values.lazy.compactMap { element.violation(of: $0) }.first
    case (.dictionary(let element), .object(let members)):
      return members.lazy.compactMap { element.violation(of: $0.value) }.first
    case (.object(let fields), .object(let members)): return Schema.violation(of: members, fields: fields)
    case (.reference(let name), .object(let members)):
      guard let object = PositionMethods.objects.first(where: { $0.description.name == name }) else {
        return "no object is named \(name)"
      }
      return Schema.violation(of: members, fields: object.description.fields)
    case (.either(let first, let second), _):
      return first.violation(of: value) == nil ? nil : second.violation(of: value)
    case (.any, _): return nil
    case (_, _):
      guard let view = try? JSONDocument(value.encoded()).root else { return "\(value) has no JSON" }
      return self.accepts(view) ? nil : "\(value) is not \(self.expectation)"
    }
  }

  /// Whether the value matches, as far as it can be checked without looking into arrays and objects.
  private func accepts(_ view: JSONView) -> Bool {
    switch (self, view.scalar) {
    case (.any, _), (.boolean, .boolean), (.array, .array), (.object, .object), (.dictionary, .object),
      (.reference, .object), (.time, .string), (.requestID, .string), (.requestID, .integer):
      true
    case (.integer(let minimum), .integer(let integer)): integer >= minimum ?? .min
    case (.number(let range), .integer(let integer)): range.contains(Double(integer))
    case (.number(let range), .number(let number)): range.contains(number)
    case (.string(let bytes), .string): view.string?.utf8.count ?? 0 <= bytes ?? .max
    case (.choice(let choices), .string): choices.contains(view.string ?? "")
    case (.either(let first, let second), _): first.accepts(view) || second.accepts(view)
    default: false
    }
  }

  static func violation(of members: [String: JSONValue], fields: [FieldDescription]) -> String? {
    for field in fields {
      guard let value = members[field.name] else {
        if field.isRequired { return "\(field.name) is missing" }
        continue
      }
      if let violation = field.schema.violation(of: value) { return "\(field.name): \(violation)" }
    }
    let known = Set(fields.map(\.name))
    return members.keys.first { !known.contains($0) }.map { "\($0) is not described" }
  }
}
