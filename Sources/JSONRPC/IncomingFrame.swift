/// One message of a peer.
package enum Incoming: Sendable {
  case request(id: RequestID, any RequestType)
  case notification(any NotificationType)
  /// A notification of a method that is not known, or with parameters that do not fit: nobody waits for an answer.
  case ignored(method: String)
  /// The answer to a request of ours. No id: the peer could not say what it answers.
  case response(id: RequestID?, Result<any Sendable, RPCError>)
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
  /// How the result of a request of ours is read; `nil`: no such request is open.
  package typealias ResultLookup = (RequestID) -> (any ResultReader)?

  /// Reads a frame. Every frame has exactly one outcome.
  ///
  /// - Parameters:
  ///   - maximumBatch: The most messages of one batch; a larger one is refused before any of it is read.
  ///   - leniency: What is passed over in requests, because the peer may be of a later version.
  ///   - results: Absent on a side that asks nothing; it then looks into no response.
  package static func decode(
    _ bytes: [UInt8], registry: MethodRegistry, maximumBatch: Int = .max, moment: CodingMoment = .none,
    leniency: ReadingContext.Leniency = [], results: ResultLookup? = nil
  ) -> IncomingFrame {
    let document: JSONDocument
    do throws(RPCError) {
      document = try JSONDocument(bytes)
    } catch {
      return .malformed(error)
    }
    let reader = MessageReader(registry: registry, moment: moment, leniency: leniency, results: results)
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
