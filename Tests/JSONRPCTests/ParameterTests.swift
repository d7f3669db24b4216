import Testing

@testable import JSONRPC

@Suite("Parameters")
struct ParameterTests {
  private func error(method: String = "test.echo", params: String?) -> RPCError? {
    let params = params.map { ",\"params\":\($0)" } ?? ""
    let text = "{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"\(method)\"\(params)}"
    guard case .single(.invalid(id: 1, let error)) = IncomingFrame.decode(text.bytes, registry: testRegistry) else {
      return nil
    }
    return error
  }

  @Test(
    "that are invalid are reported by path, with the value and what was expected",
    arguments: [
      (#"{"text":5}"#, "text", "5", "a string of at most 8 bytes"),
      (#"{"text":null}"#, "text", "null", "a string of at most 8 bytes"),
      (#"{"text":"123456789"}"#, "text", "\"123456789\"", "a string of at most 8 bytes"),
      (#"{"text":"ééééé"}"#, "text", "\"ééééé\"", "a string of at most 8 bytes"),
      (#"{"text":["a"]}"#, "text", "an array", "a string of at most 8 bytes"),
      (#"{}"#, "text", "missing", "a string of at most 8 bytes"),
      (#"{"text":"a","times":0}"#, "times", "0", "an integer of at least 1"),
      (#"{"text":"a","times":1.5}"#, "times", "1.5", "an integer of at least 1"),
      (#"{"text":"a","times":"1"}"#, "times", "\"1\"", "an integer of at least 1"),
      (#"{"text":"a","times":true}"#, "times", "true", "an integer of at least 1"),
      (#"{"text":"a","times":{}}"#, "times", "an object", "an integer of at least 1"),
      (#"{"text":"a","radius":0}"#, "radius", "0", "one of near, far or metres greater than 0"),
      (#"{"text":"a","radius":-0.5}"#, "radius", "-0.5", "one of near, far or metres greater than 0"),
      (#"{"text":"a","radius":"nea"}"#, "radius", "\"nea\"", "one of near, far or metres greater than 0"),
      (#"{"text":"a","radius":1e999}"#, "radius", "a number out of range", "one of near, far or metres greater than 0"),
      ("[\"a\"]", "params", "an array", "an object: parameters are given by name only"),
      ("7", "params", "7", "an object: parameters are given by name only"),
    ])
  func violations(params: String, path: String, found: String, expected: String) {
    let error = self.error(params: params)
    #expect(error?.code == .invalidParams)
    #expect(error?.message == "Invalid params: \(path) is \(found), expected \(expected)")
    #expect(
      error?.data == ["path": .string(path), "found": .string(found), "expected": .string(expected)] as JSONValue)
  }

  @Test("that are required and absent are reported")
  func absent() {
    #expect(
      self.error(params: nil)?.message
        == "Invalid params: text is missing, expected a string of at most 8 bytes")
    #expect(
      self.error(params: "null")?.message
        == "Invalid params: text is missing, expected a string of at most 8 bytes")
  }

  @Test(
    "that are unknown are named, with the nearest and all known ones",
    arguments: [
      (
        "test.echo", #"{"txet":"a"}"#,
        #"unknown parameter "txet"; did you mean "text"?, expected any of text, times, radius"#
      ),
      (
        "test.echo", #"{"text":"a","time":2}"#,
        #"unknown parameter "time"; did you mean "times"?, expected any of text, times, radius"#
      ),
      (
        "test.echo", #"{"text":"a","Radius":2}"#,
        #"unknown parameter "Radius"; did you mean "radius"?, expected any of text, times, radius"#
      ),
      ("test.wait", #"{"b":1,"a":2}"#, #"unknown parameter "a", expected no parameters"#),
    ])
  func unknown(method: String, params: String, message: String) {
    let error = self.error(method: method, params: params)
    #expect(error?.code == .invalidParams)
    #expect(error?.message == "Invalid params: \(message)")
  }

  @Test("with a very long name or value are reported in short")
  func long() {
    let long = String(repeating: "x", count: 50_000)
    let cut = String(repeating: "x", count: 40) + "..."
    #expect(
      self.error(params: "{\"text\":\"\(long)\"}")?.message
        == "Invalid params: text is \"\(cut)\", expected a string of at most 8 bytes")
    let unknown = self.error(params: "{\"\(long)\":1}")
    #expect(unknown?.data?["path"] == .string(cut))
    #expect(unknown.map { $0.message.utf8.count < 200 } == true)
  }

  @Test(
    "belong to a method, which is named if it does not exist",
    arguments: [
      ("test.echos", #"Method not found: "test.echos"; did you mean "test.echo"?"#),
      ("TEST.WAIT", #"Method not found: "TEST.WAIT"; did you mean "test.wait"?"#),
      ("something", #"Method not found: "something""#),
      ("", #"Method not found: """#),
      ("test.poke", #"Method not found: "test.poke" is a notification; send it without id"#),
    ])
  func methodNotFound(method: String, message: String) {
    let error = self.error(method: method, params: nil)
    #expect(error?.code == .methodNotFound)
    #expect(error?.message == message)
    #expect(error?.data == ["method": .string(method)] as JSONValue)
  }

  @Test(
    "have ranges that are described in their errors",
    arguments: [
      (Schema.NumberRange(.none), "a number"), (Schema.NumberRange(.none, unit: "metres"), "a number of metres"),
      (Schema.NumberRange(.none, maximum: 2.5), "a number up to 2.5"),
      (Schema.NumberRange(.above(0)), "a number greater than 0"),
      (Schema.NumberRange(.above(0), maximum: 1), "a number greater than 0 and up to 1"),
      (Schema.NumberRange(.from(0), unit: "seconds"), "seconds of at least 0"),
      (Schema.NumberRange(.from(0), maximum: 1e9, unit: "seconds"), "seconds from 0 to 1000000000"),
    ])
  func ranges(range: Schema.NumberRange, words: String) {
    #expect(Schema.number(range).expectation == words)
  }
}
