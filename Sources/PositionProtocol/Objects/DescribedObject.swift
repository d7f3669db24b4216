public import JSONRPC

/// An object on the wire whose members are listed in a table, for the self-description.
///
/// Tests hold that the table and the type say the same.
public protocol DescribedObject: Codable, Hashable, Sendable {
  /// Every member, in the order of the documents.
  static var fields: [FieldDescription] { get }
}

extension DescribedObject {
  /// The name under which the self-description has it: the type's, without `Object`.
  public static var schemaName: String {
    let name = "\(Self.self)"
    return name.hasSuffix("Object") ? String(name.dropLast("Object".count)) : name
  }
}

/// Makes examples of whole objects of those of their members.
enum DescribedExample {
  static func of(_ object: (some DescribedObject).Type) -> JSONValue {
    self.of(object.fields)
  }

  static func of(_ fields: [FieldDescription]) -> JSONValue {
    .object(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.example) }))
  }
}
