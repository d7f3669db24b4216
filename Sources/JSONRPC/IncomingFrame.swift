/// One message of a peer.
package enum Incoming: Sendable {
  case request(id: RequestID, any RequestType)
  case notification(any NotificationType)
  /// A notification with an unknown method or invalid parameters. It needs no answer.
  case ignored(method: String)
  /// The answer to a request of this side. No id: the peer could not read the request's.
  case response(id: RequestID?, Result<any Sendable, RPCError>)
  /// An answer to no request.
  case unexpectedResponse
  /// No message, or an invalid one; the error is to be sent, with the id if it could be read.
  case invalid(id: RequestID?, RPCError)
}

/// One frame: one message, or several.
package enum IncomingFrame: Sendable {
  case single(Incoming)
  /// Not empty; each message is independent.
  case batch([Incoming])
  /// Nothing in it can be read; the error is to be sent without an id.
  case malformed(RPCError)
}

extension IncomingFrame {
  /// Reads a frame. Each frame has exactly one outcome.
  ///
  /// - Parameters:
  ///   - maximumBatch: The most messages of one batch; a larger one is rejected before any of it is read.
  ///   - leniency: What to ignore in requests, because the peer may be of a later version.
  ///   - asked: The open requests of this side; absent on a side that sends none, which ignores all responses.
  package static func decode(
    _ bytes: [UInt8], registry: MethodRegistry, maximumBatch: Int = .max, moment: CodingMoment = .none,
    leniency: ReadingContext.Leniency = [], asked: OpenRequests? = nil
  ) -> IncomingFrame {
    let document: JSONDocument
    do throws(RPCError) {
      document = try JSONDocument(bytes)
    } catch {
      return .malformed(error)
    }
    let reader = MessageReader(registry: registry, moment: moment, leniency: leniency, asked: asked)
    guard document.root.isArray else { return .single(reader.read(document.root)) }
    let messages = Array(document.root.elements)
    guard !messages.isEmpty else { return .malformed(.invalidRequest("an empty batch")) }
    guard messages.count <= maximumBatch else {
      return .malformed(.limitExceeded(limit: "max-batch", value: maximumBatch))
    }
    return .batch(messages.map { reader.read($0) })
  }
}

extension UInt8 {
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
