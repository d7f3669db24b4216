import JSONRPC
import PositionProtocol
import Testing

@testable import Server

@Suite("Parameters that cannot be combined")
struct ParameterCombinationTests {
  private static let circle = #""circle":{"latitude":48,"longitude":11,"radius":150}"#
  private static let name = "a name of 1 to 64 bytes without control characters"
  private static let unit = "the name of a system service, such as tracker.service"

  @Test(
    "are refused by name, and not ignored",
    arguments: [
      (
        "position.subscribe", #"{"mode":"deferred"}"#, "deferredDistance", "missing",
        "deferredDistance or deferredTimeout with mode deferred"
      ),
      (
        "position.subscribe", #"{"deferredDistance":5}"#, "deferredDistance", "set with mode continuous",
        "mode deferred with it"
      ),
      (
        "position.subscribe", #"{"mode":"significant","deferredTimeout":5}"#, "deferredTimeout",
        "set with mode significant", "mode deferred with it"
      ),
      (
        "position.subscribe", #"{"mode":"passive","significantDistance":5}"#, "significantDistance",
        "set with mode passive", "mode significant with it"
      ),
      (
        "position.subscribe", #"{"mode":"deferred","deferredTimeout":1,"significantInterval":5}"#,
        "significantInterval", "set with mode deferred", "mode significant with it"
      ),
      (
        "position.subscribe", #"{"acquire":{}}"#, "acquire", "set with mode continuous", "mode significant with it"
      ),
      (
        "position.subscribe", #"{"durable":{"name":"log"}}"#, "durable", "set with mode continuous",
        "mode significant or deferred with it"
      ),
      (
        "position.subscribe", #"{"mode":"passive","durable":{"name":"log"}}"#, "durable", "set with mode passive",
        "mode significant or deferred with it"
      ),
      (
        "position.subscribe", #"{"mode":"significant","durable":{"name":""}}"#, "durable.name", "\"\"", name
      ),
      (
        "position.subscribe", #"{"mode":"significant","durable":{"name":"log","wake":"/bin/sh"}}"#, "durable.wake",
        "\"/bin/sh\"", unit
      ),
      (
        "position.subscribe", #"{"mode":"significant","acquire":{"desiredAccuracy":20,"acceptableAccuracy":10}}"#,
        "acquire.acceptableAccuracy", "finer than acquire.desiredAccuracy", "no finer than acquire.desiredAccuracy"
      ),
      ("subscription.pause", "{}", "subscription", "missing", "subscription or durable"),
      (
        "subscription.acquire", #"{"subscription":1,"durable":{"name":"log"}}"#, "durable", "set beside subscription",
        "one of them"
      ),
      ("subscription.flush", #"{"durable":{"name":""}}"#, "durable.name", "\"\"", name),
      ("visit.subscribe", #"{"durable":{"name":"a\u0000b"}}"#, "durable.name", "\"a\u{0}b\"", name),
      ("visit.subscribe", #"{"durable":{"name":"log","wake":"log"}}"#, "durable.wake", "\"log\"", unit),
      ("region.add", #"{"id":"home"}"#, "circle", "missing", "circle or polygon"),
      (
        "region.add", "{\"id\":\"home\",\(circle),\"polygon\":[]}", "polygon", "set beside circle", "one of them"
      ),
      (
        "region.add", "{\"id\":\"home\",\(circle),\"durable\":{\"name\":\"\\u0085\"}}", "durable.name", "\"\u{85}\"",
        name
      ),
      ("region.remove", #"{"id":"home","durable":{"name":""}}"#, "durable.name", "\"\"", name),
      ("region.state", #"{"id":"home","durable":{"name":""}}"#, "durable.name", "\"\"", name),
      ("region.list", #"{"durable":{"name":""}}"#, "durable.name", "\"\"", name),
      ("durable.attach", #"{"name":"\u001b[2J"}"#, "name", "\"\u{1B}[2J\"", name),
      ("durable.acknowledge", #"{"name":"","event":1}"#, "name", "\"\"", name),
      ("durable.remove", #"{"name":""}"#, "name", "\"\"", name),
    ])
  func refused(method: String, params: String, path: String, found: String, expected: String) throws {
    let error = try #require(throws: RPCError.self) { try HandledRequest(method, params).call }
    #expect(error == .invalidParameter(path: path, found: found, expected: expected))
  }

  @Test(
    "are accepted if they fit the kind of subscription",
    arguments: [
      #"{"subscription":1,"mode":"continuous","acquire":{}}"#,
      #"{"subscription":1,"mode":"deferred"}"#, #"{"subscription":1,"deferredDistance":1,"significantDistance":2}"#,
      #"{"subscription":1,"acquire":{}}"#,
    ])
  func stateful(params: String) throws {
    _ = try HandledRequest("subscription.update", params).call
  }

  @Test("A name may have 64 bytes, of any letters", arguments: [String(repeating: "é", count: 32), "x", "日本 /.\\"])
  func names(name: String) throws {
    let attach = try DurableAttachRequest.codec.decode(
      DurableAttachRequest.codec.encode(DurableAttachRequest(name: name)))
    #expect(attach.name == name)
  }
}
