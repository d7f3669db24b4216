import Testing

@testable import JSONRPC
@testable import PositionProtocol

/// The tables of docs/protocol.md that are made from those of the code. A comment above each names the type: `table:
/// position.get`, `table: position.get result`, `table: Status receiver`. `table: methods` is the card of all methods, and `request:
/// position.get` the shortest request of one.
enum DocumentTables {
  static let all = Self.make()

  private static func make() -> [String: String] {
    var tables: [String: String] = [:]
    for request in Described.requests {
      let (method, parameters, result) = (request.method, request.parameters, request.result.schema)
      self.add(parameters, as: method, DocumentTable.parameters, to: &tables)
      if case .object(let fields) = result {
        self.add(fields, as: "\(method) result", DocumentTable.members, to: &tables)
      }
    }
    for notification in Described.notifications {
      self.add(notification.parameters, as: notification.method, DocumentTable.members, to: &tables)
    }
    for object in PositionMethods.objects {
      let description = object.description
      self.add(description.fields, as: description.name, DocumentTable.members, to: &tables)
    }
    // The rest of its members are those of the status, as the text says.
    let status = StatusUpdateNotification.parameters.prefix(2)
    tables[StatusUpdateNotification.method] = DocumentTable.members(Array(status))
    tables["methods"] = MethodCard.table
    tables[CancelRequestNotification.method] = DocumentTable.parameters(CancelRequestNotification.parameters)
    return tables
  }

  /// The members, and those of the objects among them.
  private static func add(
    _ fields: [FieldDescription], as name: String, _ table: ([FieldDescription]) -> String,
    to tables: inout [String: String]
  ) {
    tables[name] = table(fields)
    for field in fields {
      if let members = field.schema.members { self.add(members, as: "\(name) \(field.name)", table, to: &tables) }
    }
  }

  /// The document with its present tables.
  ///
  /// - Throws: `Unknown` if a comment has an unknown name, or a table has no comment.
  static func written(into document: String) throws(Unknown) -> String {
    var lines = document.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var text: [Substring] = []
    while let line = lines.popFirst() {
      text.append(line)
      if let name = self.name(in: line, "table") {
        guard let table = self.all[name] else { throw Unknown(name: name) }
        lines = lines.drop { $0.hasPrefix("|") }
        text += table.split(separator: "\n")
      } else if let name = self.name(in: line, "request") {
        guard let request = MethodCard.shortestRequests[name] else { throw Unknown(name: name) }
        lines = lines.drop { $0.hasPrefix("`{") }
        text.append("`\(request)`")
      } else if line.hasPrefix("| parameter | value |") || line.hasPrefix("| member | value |") {
        throw Unknown(name: "the table that begins \(lines.dropFirst().first ?? "")")
      }
    }
    return text.joined(separator: "\n")
  }

  struct Unknown: Error {
    let name: String
  }

  private static func name(in line: Substring, _ kind: String) -> String? {
    let beginning = "<!-- \(kind): "
    guard line.hasPrefix(beginning), line.hasSuffix(" -->") else { return nil }
    return String(line.dropFirst(beginning.count).dropLast(4))
  }
}

extension Schema {
  /// The members of an object that is described in place.
  fileprivate var members: [FieldDescription]? {
    switch self {
    case .object(let fields): fields
    case .array(let element), .dictionary(let element): element.members
    default: nil
    }
  }
}
