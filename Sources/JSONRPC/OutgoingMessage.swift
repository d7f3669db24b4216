/// The result of a request that succeeded, as text.
package struct ResultText: Hashable, Sendable {
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
  package static func finite(_ value: Self.Result) -> ResultText {
    do throws(JSONWriter.NoJSON) {
      return try ResultText(value, Self.resultCodec)
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

  package static func result(id: RequestID, _ result: ResultText) -> [UInt8] {
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
