/// What a reply says if the request succeeded: its result as text.
package struct Reply: Hashable, Sendable {
  /// JSON of one line.
  package let text: [UInt8]

  package init<Value>(
    _ value: Value, _ codec: Codec<Value>, moment: CodingMoment = .none
  ) throws(JSONWriter.NoJSON) {
    self.text = try codec.encode(value, moment: moment)
  }
}

extension RequestType {
  /// The text of a result without numbers that are not finite.
  package static func finite(_ value: Self.Result) -> Reply {
    do throws(JSONWriter.NoJSON) {
      return try Reply(value, Self.resultCodec)
    } catch {
      preconditionFailure("A result that has no JSON was to be sent: \(error)")
    }
  }
}

/// Writes messages as JSON texts of one line, without framing.
package enum OutgoingMessage {
  package static func request<Request: RequestType>(
    id: RequestID, _ request: Request, moment: CodingMoment = .none
  ) throws(JSONWriter.NoJSON) -> [UInt8] {
    try self.call(id: id, method: Request.method, request, Request.codec, moment)
  }

  /// A request by its method's name.
  package static func request(
    id: RequestID, method: String, params: JSONValue
  ) throws(JSONWriter.NoJSON) -> [UInt8] {
    try self.call(id: id, method: method, params, JSONValue.codec, .none)
  }

  package static func notification<Message: NotificationType>(
    _ notification: Message, moment: CodingMoment = .none
  ) throws(JSONWriter.NoJSON) -> [UInt8] {
    try self.call(id: nil, method: Message.method, notification, Message.codec, moment)
  }

  /// A notification without numbers that are not finite.
  package static func finiteNotification(_ notification: some NotificationType) -> [UInt8] {
    do throws(JSONWriter.NoJSON) {
      return try self.notification(notification)
    } catch {
      preconditionFailure("A notification that has no JSON was to be sent: \(error)")
    }
  }

  package static func result<Value>(
    id: RequestID, _ result: Value, _ codec: Codec<Value>, moment: CodingMoment
  ) throws(JSONWriter.NoJSON) -> [UInt8] {
    // Enough for most results.
    var writer = self.begin(id: id, moment: moment, reserving: 1024)
    writer.key(Key.result)
    codec.write(result, &writer)
    writer.closeObject()
    if let failure = writer.failure { throw failure }
    return writer.bytes
  }

  package static func result(id: RequestID, _ result: Reply) -> [UInt8] {
    var writer = self.begin(id: id, reserving: result.text.count + 64)
    writer.key(Key.result)
    writer.raw(result.text.span)
    writer.closeObject()
    return writer.bytes
  }

  /// `id` is `nil` if that of the request could not be read.
  package static func error(id: RequestID?, _ failure: RPCError) -> [UInt8] {
    var writer = self.begin(id: id)
    if id == nil {
      writer.key(Key.id)
      writer.null()
    }
    writer.key(Key.error)
    RPCError.wire.write(failure, &writer)
    writer.closeObject()
    // Only its data can have numbers that are not finite.
    guard writer.failure == nil else {
      return self.error(id: id, RPCError(code: failure.code, message: failure.message))
    }
    return writer.bytes
  }

  /// The replies to a batch, in one text.
  static func batch(_ replies: [[UInt8]]) -> [UInt8] {
    Array("[".utf8) + replies.joined(separator: ",".utf8) + Array("]".utf8)
  }

  private static func call<Params>(
    id: RequestID?, method: String, _ params: Params, _ codec: Codec<Params>, _ moment: CodingMoment
  ) throws(JSONWriter.NoJSON) -> [UInt8] {
    var writer = self.begin(id: id, moment: moment)
    writer.key(Key.method)
    writer.string(method)
    writer.key(Key.params)
    codec.write(params, &writer)
    writer.closeObject()
    if let failure = writer.failure { throw failure }
    return writer.bytes
  }

  private static func begin(id: RequestID?, moment: CodingMoment = .none, reserving capacity: Int = 512) -> JSONWriter {
    var writer = JSONWriter(moment: moment, reserving: capacity)
    writer.raw(self.opening.span)
    if let id {
      writer.key(Key.id)
      id.write(&writer)
    }
    return writer
  }

  private static let opening = Array(#"{"jsonrpc":"2.0""#.utf8)

  private enum Key {
    static let id = JSONWriter.key("id")
    static let method = JSONWriter.key("method")
    static let params = JSONWriter.key("params")
    static let result = JSONWriter.key("result")
    static let error = JSONWriter.key("error")
  }
}

/// The reply to one request, or to the requests of one batch: one text, of which replies can be withheld until it is
/// written.
///
/// The driver gives each reply's sensitivity, as a number with a meaning of its own; 0 is never withheld.
package struct Replies: Sendable {
  private struct Member: Sendable {
    /// `nil` if the request's could not be read.
    let id: RequestID?
    /// With its frame, if it is the only one.
    let text: [UInt8]
    let sensitivity: Int
  }

  private var members: [Member] = []
  private let isBatch: Bool
  private let framing: Framing
  /// The bytes of all replies.
  private(set) var bytes = 0

  init(isBatch: Bool, _ framing: Framing) {
    self.isBatch = isBatch
    self.framing = framing
  }

  var isEmpty: Bool { self.members.isEmpty }

  /// The highest of all replies.
  package var sensitivity: Int { self.members.lazy.map(\.sensitivity).max() ?? 0 }

  mutating func add(_ text: consuming [UInt8], to id: RequestID?, sensitivity: Int = 0) {
    self.bytes += text.count
    let text = self.isBatch ? text : self.framing.frame(text)
    self.members.append(Member(id: id, text: text, sensitivity: sensitivity))
  }

  /// Replaces each reply that is more sensitive than the limit by the error.
  package mutating func withhold(above limit: Int, _ error: RPCError) {
    for place in self.members.indices where self.members[place].sensitivity > limit {
      let id = self.members[place].id
      let text = OutgoingMessage.error(id: id, error)
      self.bytes += text.count - self.members[place].text.count
      self.members[place] = Member(id: id, text: self.isBatch ? text : self.framing.frame(text), sensitivity: 0)
    }
  }

  /// The text on the wire.
  package func encoded() -> [UInt8] {
    self.isBatch
      ? self.framing.frame(OutgoingMessage.batch(self.members.map(\.text))) : self.members.first?.text ?? []
  }
}
