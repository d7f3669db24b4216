@testable import JSONRPC
@testable import PositionProtocol

/// All methods of the daemon on one page, as docs/protocol.md shows them, and the shortest request of each.
enum MethodCard {
  /// One of these members is needed, which no table says by itself.
  private static let either: [String: String] = [
    RegionAddRequest.method: "circle", SubscriptionPauseRequest.method: "subscription",
    SubscriptionResumeRequest.method: "subscription", SubscriptionAcquireRequest.method: "subscription",
    SubscriptionFlushRequest.method: "subscription",
  ]

  static var table: String {
    let rows = PositionMethods.server.requests.map { type in
      [self.link(type.method), type.summary, self.needs(type), self.gives(type)]
    }
    let header = ["method", "", "needs", "gives"]
    return ([header, header.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  static var shortestRequests: [String: String] {
    Dictionary(uniqueKeysWithValues: PositionMethods.server.requests.map { ($0.method, self.shortestRequest($0)) })
  }

  private static func shortestRequest(_ type: any RequestType.Type) -> String {
    let members = self.required(type).map { ($0.name, $0.example) }
    let parameters = JSONValue.object(Dictionary(uniqueKeysWithValues: members)).encoded()
    let words = members.isEmpty ? "" : ",\"params\":\(String(decoding: parameters, as: UTF8.self))"
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(type.method)\"\(words)}"
  }

  private static func required(_ type: any RequestType.Type) -> [FieldDescription] {
    type.parameters.filter { $0.isRequired || $0.name == self.either[type.method] }
  }

  /// What a client must have, and say.
  private static func needs(_ type: any RequestType.Type) -> String {
    let who: [String] =
      if type.errors.contains(.accuracyLimited) {
        ["precise permission"]
      } else if type.errors.contains(.notDetermined) {
        ["permission"]
      } else if type.method.hasPrefix("admin.") {
        ["an administrator"]
      } else {
        []
      }
    return (who + self.required(type).map { "`\($0.name)`" }).joined(separator: ", ")
  }

  /// The members of its result, or the object that it is.
  private static func gives(_ type: any RequestType.Type) -> String {
    switch type.result.schema {
    case .reference(let name):
      // A result is no object with a section of its own.
      if name.hasSuffix("Result"), let object = PositionMethods.objects.first(where: { $0.description.name == name }) {
        self.list(object.description.fields)
      } else {
        "[\(name)](#\(name.lowercased()))"
      }
    case .object(let fields): self.list(fields)
    default: type.result.description
    }
  }

  private static func list(_ fields: [FieldDescription]) -> String {
    fields.map { "`\($0.name)`" }.joined(separator: ", ")
  }

  private static func link(_ method: String) -> String {
    "[`\(method)`](#\(String(method.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })))"
  }
}
