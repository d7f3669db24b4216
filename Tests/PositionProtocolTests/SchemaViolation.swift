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
