import JSONRPC

/// A request that is answered with its own parameter.
struct Echo: RequestType, WireObject, Hashable {
  static let method = "test.echo"
  static let summary = "Says it again."
  static let wire = ObjectCodec<Echo>(blank: Echo(text: "")) {
    Field.required("text", \.text, .string(maximumBytes: 8), example: "hello", "What to say.")
    Field.optional("times", \.times, .integer(minimum: 1), example: 2, "How often.")
    Field.optional(
      "radius", \.radius, .either(.reach, or: .metres, isFirst: { if case .string = $0 { true } else { false } }),
      example: 2.5, "How far it is heard.")
  }
  static let result = ResultDescription("text", .string(maximumBytes: nil), "What was said.")
  static let resultCodec = Codec<String>.string

  var text: String
  var times: Int?
  var radius: JSONValue?
}

extension Codec<JSONValue> {
  fileprivate static let reach = Codec<Reach>.word.map(
    to: { (reach: Reach) in .string(reach.rawValue) },
    from: { (value: JSONValue) in
      if case .string(let text) = value { Reach(rawValue: text) ?? .far } else { .far }
    })

  fileprivate static let metres = Codec<Double>.number(.init(.above(0), unit: "metres")).map(
    to: { (number: Double) in .number(number) },
    from: { (value: JSONValue) in if case .number(let number) = value { number } else { 0 } })
}

private enum Reach: String, CaseIterable { case near, far }

/// A request that may wait.
struct Wait: RequestType, WireObject, Hashable {
  static let method = "test.wait"
  static let summary = "Waits."
  static let isAllowedInBatch = false
  static let wire = ObjectCodec<Wait>(blank: Wait()) {}
  static let result = ResultDescription("nothing", .any, "Nothing.")

  typealias Result = JSONValue
}

struct Poke: NotificationType, WireObject, Hashable {
  static let method = "test.poke"
  static let summary = "Pokes."
  static let wire = ObjectCodec<Poke>(blank: Poke()) {
    Field.optional("times", \.times, .integer(minimum: nil), example: 2, "How often.")
  }

  var times: Int?
}

/// A result with that value.
func said(_ value: JSONValue) -> ResultText { Wait.finite(value) }

let testRegistry = MethodRegistry(requests: [Echo.self, Wait.self], notifications: [Poke.self])

extension String {
  var bytes: [UInt8] { Array(self.utf8) }

  /// A text as it was sent, with sorted members of JSON: their order is tested where they are written.
  init(_ bytes: [UInt8]) {
    let end = bytes.last == 10 ? "\n" : ""
    do {
      self = String(decoding: try JSONValue(parsing: bytes).encoded(), as: UTF8.self) + end
    } catch {
      self.init(decoding: bytes, as: UTF8.self)
    }
  }
}

/// One action as text, so that tables can compare it.
extension ServerSession.Action {
  var words: String {
    switch self {
    case .handle(let serial, let request): "handle \(serial) \(type(of: request).method)"
    case .notified(let notification): "notified \(type(of: notification).method)"
    case .answered(let id, .success(let value)): "answered \(id) \(value)"
    case .answered(let id, .failure(let error)): "failed \(id) \(error.code.rawValue) \(error.message)"
    case .unexpectedResponse: "unexpected response"
    case .send(let bytes): "send \(String(bytes))"
    case .sendSensitive(let replies): "send \(replies.sensitivity) \(String(replies.encoded()))"
    case .close: "close"
    }
  }
}

extension Incoming {
  var words: String {
    switch self {
    case .request(let id, let request): "request \(id) \(request)"
    case .notification(let notification): "notification \(notification)"
    case .ignored(let method): "ignored \(method)"
    case .response(let id, .success(let value)): "response \(id?.description ?? "null") \(value)"
    case .response(let id, .failure(let error)):
      "error \(id?.description ?? "null") \(error.code.rawValue) \(error.message)"
    case .unexpectedResponse: "unexpected response"
    case .invalid(let id, let error): "invalid \(id?.description ?? "null") \(error.code.rawValue) \(error.message)"
    }
  }
}

extension IncomingFrame {
  var words: String {
    switch self {
    case .single(let incoming): incoming.words
    case .batch(let messages): "batch [\(messages.map(\.words).joined(separator: "; "))]"
    case .malformed(let error): "malformed \(error.code.rawValue) \(error.message)"
    }
  }
}

/// The same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { self.state = seed }

  mutating func next() -> UInt64 {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = self.state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
