import PositionProtocol
import Testing

@testable import JSONRPC

@Suite("The self-description")
struct OpenRPCTests {
  private func members(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let values)? = value { values } else { [] }
  }

  private func names(_ value: JSONValue?) -> [JSONValue] { self.members(value).compactMap { $0["name"] } }

  @Test("lists every method and every notification, and no other")
  func methods() {
    let (requests, notifications) = (PositionMethods.server.requests, PositionMethods.server.notifications)
    let sent = requests.map { $0.method } + notifications.map { $0.method }
    #expect(self.names(OpenRPC.document["methods"]) == requests.map { .string($0.method) })
    #expect(self.names(OpenRPC.document["x-clientNotifications"]) == notifications.map { .string($0.method) })
    #expect(
      self.names(OpenRPC.document["x-notifications"])
        == PositionMethods.client.notifications.map { .string($0.method) })
    #expect(
      Set(sent) == [
        "session.hello", "rpc.discover", "position.get", "position.last", "position.subscribe", "subscription.update",
        "subscription.cancel", "subscription.list", "request.list", "request.complete", "request.cancel",
        "$/cancelRequest", "heading.get", "heading.subscribe", "sky.get", "sky.subscribe", "time.get", "status.get",
        "status.subscribe", "subscription.pause", "subscription.resume", "subscription.acquire", "subscription.flush",
        "visit.subscribe", "region.add", "region.remove", "region.state", "region.list", "durable.attach",
        "durable.acknowledge", "durable.list", "durable.remove", "authorization.get", "authorization.request",
        "agent.register", "admin.clients", "admin.grants", "admin.grant", "admin.revoke", "admin.enable",
        "admin.disable",
      ])
    #expect(self.names(OpenRPC.document["x-requests"]) == ["agent.authorize"])
    #expect(self.members(OpenRPC.document["x-requests"]).first?["result"]?["schema"]?["properties"] != nil)
    #expect(
      Set(PositionMethods.client.notifications.map { $0.method }) == [
        "position.update", "heading.update", "sky.update", "status.update", "subscription.ended", "session.closing",
        "visit.update", "region.event", "durable.overflow", "authorization.changed", "authorization.prompted",
        "$/cancelRequest",
      ])
  }

  @Test("describes a parameter with its bounds, default, example and description")
  func parameter() throws {
    let method = try #require(self.members(OpenRPC.document["methods"]).first { $0["name"] == "position.get" })
    #expect(method["paramStructure"] == "by-name")
    #expect(method["x-allowedInBatch"] == false)
    #expect(method["result"]?["name"] == "result")
    #expect(
      self.members(method["params"]).first { $0["name"] == "timeout" } == [
        "name": "timeout", "required": false, "description": "Seconds to wait; 0 means as long as the daemon allows.",
        "schema": [
          "type": "number", "minimum": 0.0, "maximum": 1e9, "default": 30, "examples": [20],
        ],
      ])
    #expect(
      self.members(method["params"]).first?["schema"]?["anyOf"] == [
        ["type": "string", "enum": ["city", "neighborhood", "block", "house", "room"]],
        ["type": "number", "exclusiveMinimum": 0.0],
      ])
  }

  @Test("has an example of each method, whose parameters and result can be read")
  func examples() throws {
    let requests = PositionMethods.server.requests + PositionMethods.client.requests
    let methods = self.members(OpenRPC.document["methods"]) + self.members(OpenRPC.document["x-requests"])
    try #require(requests.count == methods.count)
    for (request, method) in zip(requests, methods) { try self.checkExample(of: request, method) }
  }

  private func checkExample<Request: RequestType>(of type: Request.Type, _ method: JSONValue) throws {
    let example = try #require(self.members(method["examples"]).first, "\(Request.method)")
    var params: [String: JSONValue] = [:]
    for param in self.members(example["params"]) {
      guard case .string(let name)? = param["name"] else { continue }
      params[name] = param["value"]
    }
    #expect(params.count == self.members(example["params"]).count, "\(Request.method)")
    let context = ReadingContext()
    #expect(throws: Never.self, "\(Request.method)") {
      try Request.codec.decode(JSONValue.object(params).encoded(), context: context)
    }
    let result = try #require(example["result"]?["value"], "\(Request.method)")
    #expect(throws: Never.self, "\(Request.method)") {
      try Request.resultCodec.decode(result.encoded(), context: context)
    }
  }

  @Test("lists the errors of permission where a denied client gets them")
  func methodErrors() throws {
    let methods = self.members(OpenRPC.document["methods"])
    let last = try #require(methods.first { $0["name"] == "position.last" })
    let messages: [JSONValue] = ["denied", "restricted", "disabled", "notDetermined"]
    #expect(self.members(last["errors"]).compactMap { $0["message"] } == messages)
    #expect(self.members(last["errors"]).compactMap { $0["code"] } == [-32001, -32002, -32003, -32004])
    #expect(methods.first { $0["name"] == "subscription.list" }?["errors"] == nil)
  }

  @Test("says what it is and where it is reached")
  func info() {
    #expect(OpenRPC.document["info"]?["title"] == "positiond")
    #expect(OpenRPC.document["info"]?["description"] != nil)
    #expect(self.members(OpenRPC.document["servers"]).first?["url"] == "unix:///run/positiond/positiond.sock")
  }

  @Test("describes the bytes of a string in its text")
  func bytes() throws {
    let method = try #require(self.members(OpenRPC.document["methods"]).first { $0["name"] == "session.hello" })
    #expect(
      self.members(method["params"]).first?["schema"]?["description"]
        == "The program's own name for itself. (a string of at most 64 bytes)")
  }

  @Test("refers only to objects that it describes")
  func references() throws {
    func references(in value: JSONValue) -> [String] {
      switch value {
      case .object(let members):
        members.flatMap { key, value -> [String] in
          if key == "$ref", case .string(let target) = value { return [target] }
          return references(in: value)
        }
      case .array(let values): values.flatMap(references)
      case .null, .boolean, .integer, .number, .string: []
      }
    }
    let found = Set(references(in: OpenRPC.document))
    #expect(found.contains("#/components/schemas/Fix"))
    for reference in found {
      let name = try #require(reference.split(separator: "/").last)
      #expect(OpenRPC.document["components"]?["schemas"]?[String(name)] != nil, "\(reference)")
    }
  }

  @Test("lists every error's number, each once")
  func errors() {
    let codes = RPCError.Code.named.map(\.code)
    #expect(Set(codes).count == codes.count && codes.count == 16)
    for (code, name) in RPCError.Code.named {
      #expect(OpenRPC.document["components"]?["errors"]?[name]?["code"] == .integer(code.rawValue))
    }
  }

  @Test("stays below half of a client's queue, and is JSON")
  func text() throws {
    let text = OpenRPC.document.encoded()
    #expect(text.count < 128 * 1024)
    #expect(try JSONValue(parsing: text)["info"]?["version"] == "1.0")
  }
}
