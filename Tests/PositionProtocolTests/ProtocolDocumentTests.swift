import FoundationEssentials
import TestSupport
import Testing

@testable import JSONRPC
@testable import PositionProtocol

/// docs/protocol.md of this source tree.
private let document: String = {
  guard let data = try? Data(contentsOf: URL(filePath: "\(PackageRoot.path)/docs/protocol.md")) else { return "" }
  return String(decoding: data, as: UTF8.self)
}()

@Suite("The document of the protocol")
struct ProtocolDocumentTests {
  @Test("has the tables of the code at its markers")
  func tables() throws {
    let document = try WrittenDocument("docs/protocol.md")
    #expect(try document.isCurrent(DocumentTables.written(into: document.text)), "\(WrittenDocument.advice)")
  }

  @Test("shows each method's parameters unchanged", arguments: Described.requests.map { $0.method })
  func methods(method: String) throws {
    let type = try #require(Described.requests.first { $0.method == method })
    let section = try self.section("### \(method)")
    if type.parameters.isEmpty {
      #expect(section.contains("No parameters") || section.contains("No\nparameters"))
    } else if let other = Self.alike[method] {
      #expect(type.parameters == other.parameters)
      #expect(section.contains("`\(other.method)`"))
    } else {
      #expect(section.contains(DocumentTable.parameters(type.parameters)))
    }
    if case .object(let fields) = type.result.schema { #expect(section.contains(DocumentTable.members(fields))) }
  }

  /// Methods that refer to the parameters of another.
  private static let alike: [String: any RequestType.Type] = [
    RequestCancelRequest.method: RequestCompleteRequest.self,
    SubscriptionResumeRequest.method: SubscriptionPauseRequest.self,
    SubscriptionAcquireRequest.method: SubscriptionPauseRequest.self,
    SubscriptionFlushRequest.method: SubscriptionPauseRequest.self,
  ]

  @Test("shows each notification's members unchanged", arguments: Described.notifications.map { $0.method })
  func notifications(method: String) throws {
    let type = try #require(Described.notifications.first { $0.method == method })
    let section = try self.section("### \(method)")
    switch method {
    case StatusUpdateNotification.method:
      #expect(section.contains(DocumentTable.members(Array(type.parameters.prefix(2)))))
    case CancelRequestNotification.method: #expect(section.contains(DocumentTable.parameters(type.parameters)))
    default: #expect(section.contains(DocumentTable.members(type.parameters)))
    }
  }

  @Test("shows every object unchanged", arguments: (PositionMethods.objects + Described.parts).map { Described($0) })
  func objects(described: Described) {
    #expect(document.contains(DocumentTable.members(described.fields)))
  }

  @Test("shows every object in parameters unchanged", arguments: Described.parameters.map { Described($0) })
  func parameters(described: Described) {
    #expect(document.contains(DocumentTable.parameters(described.fields)))
  }

  @Test(
    "begins each method with a request that is answered",
    arguments: PositionMethods.server.requests.map { $0.method })
  func shortestRequest(method: String) throws {
    let request = try #require(MethodCard.shortestRequests[method])
    #expect(try self.section("### \(method)").contains("`\(request)`"))
    var session = ServerSession(registry: PositionMethods.server)
    let isHandled = session.received(Array(request.utf8) + [10]).contains { action in
      if case .send(let bytes) = action { !String(decoding: bytes, as: UTF8.self).contains("\"error\"") } else { true }
    }
    #expect(isHandled, "\(request)")
  }

  @Test("lists every possible error", arguments: RPCError.Code.named.map { $0.name })
  func errors(name: String) throws {
    #expect(try self.section("## Errors").contains("`\(name)`"))
  }

  private static let samples = Result { try ProtocolSample.all(in: document) }

  /// Single messages: a message that begins on a line continues on the indented ones.
  private static var examples: [JSONValue] {
    get throws {
      try FencedBlock.all(in: document).filter { $0.language == "json" }.flatMap { block in
        var texts: [String] = []
        for line in block.lines {
          if line.hasPrefix(" "), let last = texts.popLast() { texts.append(last + line) } else { texts.append(line) }
        }
        return try texts.map { try JSONValue(parsing: Array($0.utf8)) }
      }
    }
  }

  @Test("shows possible messages")
  func examples() throws {
    let examples = try Self.examples
    #expect(examples.count > 5)
    // The results of the requests among them.
    var results: [JSONValue: Schema] = [:]
    for example in examples {
      if case .string(let method)? = example["method"] {
        let request = Described.requests.first { $0.method == method }
        let type: (any MessageType.Type)? = request ?? PositionMethods.client.notification(method)
        let parameters = try #require(type, "\(method)").parameters
        let violation = self.violation(example["params"] ?? .object([:]), .object(parameters))
        #expect(violation == nil, "\(method): \(violation ?? "")")
        if let id = example["id"], let request { results[id] = request.result.schema }
      } else if let result = example["result"], let id = example["id"] {
        let violation = self.violation(result, try #require(results[id], "nobody asked \(id)"))
        #expect(violation == nil, "\(id): \(violation ?? "")")
      } else {
        let error = try RPCError.codec.decode((example["error"] ?? .null).encoded())
        #expect(RPCError.Code.named.contains { $0.code == error.code } && !error.message.isEmpty)
      }
    }
  }

  @Test("has samples of every method, and of every notification but the one of the daemon's stop")
  func coverage() throws {
    let texts =
      try Self.samples.get().flatMap(\.steps).map { step in
        switch step {
        case .send(let text): text
        case .expect(let pattern): pattern.text
        }
      }
      + FencedBlock.all(in: document).filter { $0.language == "json" }.flatMap(\.lines)
    for method in (Described.requests.map { $0.method } + Described.notifications.map { $0.method })
    where method != SessionClosingNotification.method {
      #expect(texts.contains { $0.contains("\"method\": \"\(method)\"") }, "\(method)")
    }
  }

  @Test("has samples that the session answers in the same way, or whose results have the shown members")
  func samples() throws {
    for sample in try Self.samples.get() {
      var session = ServerSession(registry: PositionMethods.server)
      var open: [JSONValue: any RequestType.Type] = [:]
      var replies: [JSONValue] = []
      for step in sample.steps {
        switch step {
        case .send(let text):
          for action in session.received(Array(text.utf8) + [10]) {
            switch action {
            case .handle(let serial, let request):
              guard let id = session.id(of: serial) else { continue }
              open[try JSONValue(parsing: RequestID.codec.encode(id))] = type(of: request)
            case .send(let bytes): replies.append(try JSONValue(parsing: bytes))
            case .notified: break
            case .answered, .unexpectedResponse, .sendSensitive:
              Issue.record("line \(sample.line): \(text) answers nothing")
            case .close: Issue.record("line \(sample.line): \(text) closes")
            }
          }
        case .expect(let pattern):
          let violation = self.violation(pattern, open: open, replies: replies)
          #expect(violation == nil, "line \(sample.line): \(pattern): \(violation ?? "")")
        }
      }
    }
  }

  /// The error of an expected message, as far as it can be known without a daemon.
  private func violation(
    _ pattern: JSONPattern, open: [JSONValue: any RequestType.Type], replies: [JSONValue]
  ) -> String? {
    if replies.contains(where: pattern.matches) { return nil }
    if case .string(let method)? = pattern.value["method"] {
      guard let type = PositionMethods.client.notification(method) else { return "no notification of ours" }
      return self.violation(pattern.value["params"] ?? .null, .object(type.parameters))
    }
    if case .array = pattern.value { return nil }
    guard let id = pattern.value["id"], let type = open[id] else {
      return "answers nothing, and is no reply of \(replies)"
    }
    if let error = pattern.value["error"] {
      let codes: [JSONValue?] = [-32800, -32008, -32602, -32003]
      return codes.contains(error["code"]) ? nil : "\(error) is no error of this method"
    }
    return self.violation(pattern.value["result"] ?? .null, type.result.schema)
  }

  /// Where a value has something that its schema does not have; open parts match.
  private func violation(_ value: JSONValue, _ schema: Schema) -> String? {
    switch (schema, value) {
    case (_, JSONPattern.open): return nil
    case (.reference(let name), _):
      let fields = PositionMethods.objects.first { $0.description.name == name }?.description.fields ?? []
      return self.violation(value, .object(fields))
    case (.object(let fields), .object(let members)):
      if members["..."] == nil, let absent = fields.first(where: { $0.isRequired && members[$0.name] == nil }) {
        return "\(absent.name) is missing"
      }
      for (name, value) in members where name != "..." {
        guard let field = fields.first(where: { $0.name == name }) else { return "\(name) is not described" }
        if let violation = self.violation(value, field.schema) { return "\(name): \(violation)" }
      }
      return nil
    case (.array(let element), .array(let values)):
      return values.lazy.compactMap { self.violation($0, element) }.first
    case (.dictionary, .object): return nil
    case (_, _): return schema.violation(of: value)
    }
  }

  /// From a heading of the third level up to the next heading, or of the second up to the next of it.
  private func section(_ heading: String) throws -> String {
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0 == heading }, "there is no \(heading)")
    let rest = lines[(start + 1)...]
    let end = rest.firstIndex { $0.hasPrefix("## ") || (heading.hasPrefix("###") && $0.hasPrefix("### ")) }
    return rest[..<(end ?? rest.endIndex)].map { "\($0)\n" }.joined()
  }
}

@Suite("A pattern of a sample")
struct JSONPatternTests {
  @Test(
    "matches its open parts and nothing else",
    arguments: [
      ("...", "1", true), (#"{"a": ...}"#, #"{"a":[1]}"#, true), (#"{"a": ...}"#, "{}", false),
      (#"{"a": ...}"#, #"{"a":1,"b":2}"#, false), (#"{"a": 1, ...}"#, #"{"a":1,"b":2}"#, true),
      (#"{"a": 1, ...}"#, #"{"b":2}"#, false), ("{...}", "{}", true), ("{...}", "[]", false), ("[...]", "[]", true),
      ("[1, ...]", "[1,2,3]", true), ("[1, ...]", "[]", false), ("[1, ...]", "[2]", false), ("[1]", "[1,2]", false),
      (#"{"a": "...", "b": {"c": ..., "d": [{...}]}}"#, #"{"a":"x","b":{"c":1,"d":[{"e":1}]}}"#, true),
      (#"{"a": "x: ...\" y", ...}"#, #"{"a":"x: ...\" y"}"#, true), (#"{"a": "x ..."}"#, #"{"a":"x y"}"#, false),
      ("1", "2", false),
    ])
  func matches(pattern: String, text: String, matches: Bool) throws {
    #expect(try JSONPattern(parsing: pattern).matches(JSONValue(parsing: Array(text.utf8))) == matches)
  }
}
