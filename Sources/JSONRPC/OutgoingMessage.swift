/// A result that was encoded before: one that is long and always the same, or of which it was to be seen that it can be.
package struct EncodedValue: Encodable, Sendable {
  /// JSON of one line.
  package let text: [UInt8]

  package init(_ value: some Encodable) throws(JSONText.NoJSON) { self.text = try JSONText.encodeIfPossible(value) }

  package func encode(to encoder: any Encoder) throws {
    try JSONText.decode(JSONValue.self, from: self.text).encode(to: encoder)
  }
}

/// Writes messages as JSON texts of one line, without framing.
package enum OutgoingMessage {
  package static func request(id: RequestID, _ request: some RequestType) -> [UInt8] {
    JSONText.encode(Call(id: id, method: type(of: request).method, params: request))
  }

  static func requestIfPossible(id: RequestID, _ request: some RequestType) throws(JSONText.NoJSON) -> [UInt8] {
    try JSONText.encodeIfPossible(Call(id: id, method: type(of: request).method, params: request))
  }

  package static func notification(_ notification: some NotificationType) -> [UInt8] {
    JSONText.encode(Call(id: nil, method: type(of: notification).method, params: notification))
  }

  /// The same for one that tells of the world, a number of which may have no JSON.
  package static func notificationIfPossible(
    _ notification: some NotificationType
  ) throws(JSONText.NoJSON) -> [UInt8] {
    try JSONText.encodeIfPossible(Call(id: nil, method: type(of: notification).method, params: notification))
  }

  /// A request whose method has no type here.
  package static func request(id: RequestID, method: String, params: JSONValue) -> [UInt8] {
    JSONText.encode(Call(id: id, method: method, params: params))
  }

  package static func result(id: RequestID, _ result: some Encodable) -> [UInt8] {
    guard let encoded = result as? EncodedValue else { return JSONText.encode(Reply(id: id, result: result)) }
    // Written by hand in the order of the keys: what is long is copied once, and nothing is encoded again.
    let name =
      switch id {
      case .integer(let number): Array("\(number)".utf8)
      case .string(let string): JSONText.encode(string)
      }
    var text: [UInt8] = []
    text.reserveCapacity(encoded.text.count + name.count + 40)
    text += #"{"id":"#.utf8
    text += name
    text += #","jsonrpc":"2.0","result":"#.utf8
    text += encoded.text
    text += "}".utf8
    return text
  }

  /// `id` is `nil` where the request's could not be read.
  package static func error(id: RequestID?, _ failure: RPCError) -> [UInt8] {
    do throws(JSONText.NoJSON) {
      return try JSONText.encodeIfPossible(Failure(id: id, error: failure))
    } catch {
      // What has no JSON can only stand in its data.
      return JSONText.encode(Failure(id: id, error: RPCError(code: failure.code, message: failure.message)))
    }
  }

  /// The replies to a batch, in one text.
  static func batch(_ replies: [[UInt8]]) -> [UInt8] {
    Array("[".utf8) + replies.joined(separator: ",".utf8) + Array("]".utf8)
  }

  private struct Call<Params: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let id: RequestID?
    let method: String
    let params: Params
  }

  private struct Reply<Result: Encodable>: Encodable {
    let jsonrpc = "2.0"
    let id: RequestID
    let result: Result?
  }

  private struct Failure: Encodable {
    let id: RequestID?
    let error: RPCError

    private enum CodingKeys: CodingKey { case jsonrpc, id, error }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode("2.0", forKey: .jsonrpc)
      // The member must be there even when it is null.
      try container.encode(self.id, forKey: .id)
      try container.encode(self.error, forKey: .error)
    }
  }
}
