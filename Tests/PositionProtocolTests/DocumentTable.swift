import PositionProtocol

@testable import JSONRPC

/// A table of the types as docs/protocol.md shows it.
enum DocumentTable {
  static func parameters(_ fields: [FieldDescription]) -> String {
    self.table(["parameter", "value", "default", ""], fields) { field in
      switch field.presence {
      case .required: "required"
      case .optional: ""
      case .defaulted(let value): "`\(String(decoding: value.encoded(), as: UTF8.self))`"
      }
    }
  }

  static func members(_ fields: [FieldDescription]) -> String {
    self.table(["member", "value", "", ""], fields) { $0.isRequired ? "" : "may be absent" }
  }

  private static func table(
    _ header: [String], _ fields: [FieldDescription], presence: (FieldDescription) -> String
  ) -> String {
    let rows = fields.map { field in
      ["`\(field.name)`", self.value(field.schema), presence(field), field.description]
    }
    return ([header, header.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  private static func value(_ schema: Schema) -> String {
    switch schema {
    case .choice(let choices): choices.map { "`\($0)`" }.joined(separator: ", ")
    case .reference(let name): "[\(name)](#\(name.lowercased()))"
    case .array(let element): "array: \(self.value(element))"
    case .either(let first, let second): "\(self.value(first)), or \(self.value(second))"
    case .object: "object, below"
    case .dictionary(let element): "object of names, each with \(self.value(element))"
    case .boolean, .integer, .number, .string, .time, .requestID, .any: schema.expectation
    }
  }
}
