/// One message of a peer.
package enum Incoming: Sendable {
  case request(id: RequestID, any RequestType)
  case notification(any NotificationType)
  /// A notification of a method that is not known, or with parameters that do not fit: nobody waits to be told.
  case ignored(method: String)
  /// The answer to a request of ours. No id: the peer could not tell what it answers.
  case response(id: RequestID?, Result<any Codable & Sendable, RPCError>)
  /// An answer to what we did not ask.
  case unexpectedResponse
  /// Not a message, or one that cannot be served; the error is to be sent, with the id where it could be read.
  case invalid(id: RequestID?, RPCError)
}

/// One frame: one message, or several.
package enum IncomingFrame: Sendable {
  case single(Incoming)
  /// Not empty; each stands for itself.
  case batch([Incoming])
  /// Nothing in it can be read; the error is to be sent without an id.
  case malformed(RPCError)
}

extension IncomingFrame {
  /// Which type the result of a request of ours is decoded to; `nil`: no such request is open.
  package typealias ResultLookup = (RequestID) -> (any (Codable & Sendable).Type)?

  /// Reads a frame. Every frame has exactly one outcome.
  ///
  /// - Parameters:
  ///   - maximumBatch: The most messages of one batch; a larger one is refused before any of it is read.
  ///   - toleratesUnknown: Whether parameters of requests that are not known, and words in them, are passed over, because
  ///     the peer may be of a later version.
  ///   - results: Absent on a side that asks nothing; it then looks into no response.
  package static func decode(
    _ bytes: [UInt8], registry: MethodRegistry, maximumBatch: Int = .max, toleratesUnknown: Bool = false,
    results: ResultLookup? = nil
  ) -> IncomingFrame {
    let outline: JSONScanner.Outline
    do {
      outline = try JSONScanner.check(bytes)
    } catch {
      return .malformed(.parseError(error, in: bytes))
    }
    let context = IncomingMessage.Context(registry: registry, toleratesUnknown: toleratesUnknown, results: results)
    do {
      if bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "[") {
        guard outline.size <= maximumBatch else {
          return .malformed(.limitExceeded(limit: "max-batch", value: maximumBatch))
        }
        let messages = try JSONText.decode([IncomingMessage].self, from: bytes, configuration: context)
        return messages.isEmpty ? .malformed(.invalidRequest("an empty batch")) : .batch(messages.map(\.incoming))
      }
      return .single(try JSONText.decode(IncomingMessage.self, from: bytes, configuration: context).incoming)
    } catch {
      // A message that cannot be read is a value, no error, so what fails here is the text as a whole.
      return .malformed(.badFraming("the text cannot be decoded"))
    }
  }
}

extension UInt8 {
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension RPCError {
  static func parseError(_ failure: JSONScanner.Failure, in bytes: [UInt8]) -> RPCError {
    let before = bytes[..<failure.offset]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return .parseError(
      offset: failure.offset, line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: failure.offset - lineStart + 1, expected: failure.expected)
  }
}
