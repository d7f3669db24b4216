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

/// Reads one message. An error is part of the outcome, so that an invalid message of a batch does not affect the
/// others.
struct MessageReader {
  let registry: MethodRegistry
  let moment: CodingMoment
  let leniency: ReadingContext.Leniency
  let asked: OpenRequests?

  /// The value of `id`.
  private enum Identity {
    case absent
    case null
    case id(RequestID)
    case tooLong
    case bad

    init(_ view: JSONView?) {
      guard let view else {
        self = .absent
        return
      }
      if view.isNull {
        self = .null
      } else if let id = RequestID(view) {
        self = id.isTooLong ? .tooLong : .id(id)
      } else {
        self = .bad
      }
    }

    /// Why it is not a valid id.
    var denial: String? {
      switch self {
      case .absent, .null, .id: nil
      case .tooLong: "id must have at most \(RequestID.maximumBytes) bytes"
      case .bad: "id must be a string or an integer"
      }
    }
  }

  func read(_ message: JSONView) -> Incoming {
    guard message.isObject else { return .invalid(id: nil, .invalidRequest("expected an object")) }
    let identity = Identity(message["id"])
    let id: RequestID? = if case .id(let id) = identity { id } else { nil }
    guard message["jsonrpc"]?.spells("2.0".utf8.span) ?? false else {
      return .invalid(id: id, .invalidRequest("jsonrpc must be \"2.0\""))
    }
    guard let name = message["method"] else {
      let (result, error) = (message["result"], message["error"])
      if result != nil || error != nil { return self.readResponse(identity, result: result, error: error) }
      if let reason = identity.denial { return .invalid(id: nil, .invalidRequest(reason)) }
      return .invalid(id: id, .invalidRequest("method is missing"))
    }
    if let reason = identity.denial { return .invalid(id: nil, .invalidRequest(reason)) }
    guard let method = name.string else { return .invalid(id: id, .invalidRequest("method must be a string")) }
    switch identity {
    case .id(let id): return self.readRequest(id: id, method: method, message["params"])
    case .absent: return self.readNotification(method: method, message["params"])
    case .null, .tooLong, .bad:
      return .invalid(id: nil, .invalidRequest("id must be a string or an integer; a notification has none"))
    }
  }

  private func readRequest(id: RequestID, method: String, _ params: JSONView?) -> Incoming {
    guard let type = self.registry.request(method) else {
      return .invalid(id: id, self.registry.methodNotFound(method))
    }
    if let params, !params.isNull, !params.isObject {
      return .invalid(
        id: id,
        .invalidParameter(
          path: "params", found: "\(params)", expected: "an object: parameters are given by name only"))
    }
    do throws(CodingFailure) {
      return .request(id: id, try self.parameters(type, params, self.leniency))
    } catch {
      return .invalid(id: id, RPCError(error))
    }
  }

  /// Unknown notifications and parameters come from a later peer and are ignored.
  private func readNotification(method: String, _ params: JSONView?) -> Incoming {
    guard let type = self.registry.notification(method) else { return .ignored(method: method) }
    do throws(CodingFailure) {
      return .notification(try self.parameters(type, params, [.members, .values]))
    } catch {
      return .ignored(method: method)
    }
  }

  private func parameters<Message: MessageType>(
    _ type: Message.Type, _ params: JSONView?, _ leniency: ReadingContext.Leniency
  ) throws(CodingFailure) -> Message {
    let params = params.flatMap { $0.isNull ? nil : $0 } ?? JSONDocument.empty.root
    return try type.codec.read(params, ReadingContext(moment: self.moment, leniency: leniency))
  }

  private func readResponse(_ identity: Identity, result: JSONView?, error: JSONView?) -> Incoming {
    guard let asked = self.asked else { return .unexpectedResponse }
    let id: RequestID
    switch identity {
    case .id(let readable): id = readable
    case .absent, .null:
      return .response(id: nil, .failure(self.error(error) ?? .internalError("a response without id and error")))
    // This side never sends such ids.
    case .tooLong, .bad: return .unexpectedResponse
    }
    guard let reader = asked.reader(of: id) else { return .unexpectedResponse }
    guard let result else {
      let error = self.error(error) ?? .internalError("the response's error cannot be read")
      return .response(id: id, .failure(error))
    }
    do throws(CodingFailure) {
      // A client must not confuse an unknown enumeration case with an absent one.
      let leniency = self.leniency.union(.members)
      return .response(
        id: id, .success(try reader.readResult(result, ReadingContext(moment: self.moment, leniency: leniency))))
    } catch {
      return .response(id: id, .failure(.internalError("the result cannot be read: \(RPCError(error).message)")))
    }
  }

  private func error(_ view: JSONView?) -> RPCError? {
    guard let view else { return nil }
    return try? RPCError.codec.read(view, ReadingContext(leniency: [.members, .values]))
  }
}
