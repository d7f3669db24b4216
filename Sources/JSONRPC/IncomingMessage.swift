import FoundationEssentials

/// Decodes one message. It never throws: what is wrong with a message is part of the outcome, so that one bad message
/// of a batch leaves the others alone.
struct IncomingMessage: DecodableWithConfiguration {
  struct Context {
    var registry: MethodRegistry
    var toleratesUnknown: Bool
    var results: IncomingFrame.ResultLookup?
  }

  let incoming: Incoming

  init(from decoder: any Decoder, configuration: Context) {
    do {
      let reader = EnvelopeReader(container: try decoder.container(keyedBy: AnyKey.self), context: configuration)
      self.incoming = reader.read()
    } catch {
      self.incoming = .invalid(id: nil, .invalidRequest("expected an object"))
    }
  }
}

/// Reads the members of one message's object.
private struct EnvelopeReader {
  let container: KeyedDecodingContainer<AnyKey>
  let context: IncomingMessage.Context

  /// What stands under `id`.
  private enum Identity {
    case absent
    case null
    case id(RequestID)
    case tooLong
    case bad

    /// Why no message may have it.
    var refusal: String? {
      switch self {
      case .absent, .null, .id: nil
      case .tooLong: "id must have at most \(RequestID.maximumBytes) bytes"
      case .bad: "id must be a string or an integer"
      }
    }
  }

  func read() -> Incoming {
    let identity = self.identity
    let id: RequestID? = if case .id(let id) = identity { id } else { nil }
    guard self.string("jsonrpc") == "2.0" else {
      return .invalid(id: id, .invalidRequest("jsonrpc must be \"2.0\""))
    }
    if !self.container.contains(AnyKey("method")), self.isResponse { return self.readResponse(identity) }
    if let reason = identity.refusal { return .invalid(id: nil, .invalidRequest(reason)) }
    guard self.container.contains(AnyKey("method")) else {
      return .invalid(id: id, .invalidRequest("method is missing"))
    }
    guard let method = self.string("method") else {
      return .invalid(id: id, .invalidRequest("method must be a string"))
    }
    return switch identity {
    case .id(let id): self.readRequest(id: id, method: method)
    case .absent: self.readNotification(method: method)
    case .null, .tooLong, .bad:
      .invalid(id: nil, .invalidRequest("id must be a string or an integer; a notification has none"))
    }
  }

  private var identity: Identity {
    let key = AnyKey("id")
    guard self.container.contains(key) else { return .absent }
    do {
      if try self.container.decodeNil(forKey: key) { return .null }
      let id = try self.container.decode(RequestID.self, forKey: key)
      return id.isTooLong ? .tooLong : .id(id)
    } catch {
      return .bad
    }
  }

  /// `nil` where it is absent or no string.
  private func string(_ key: String) -> String? {
    do { return try self.container.decode(String.self, forKey: AnyKey(key)) } catch { return nil }
  }

  private func readRequest(id: RequestID, method: String) -> Incoming {
    guard let type = self.context.registry.request(method) else {
      return .invalid(id: id, self.context.registry.methodNotFound(method))
    }
    do {
      return .request(id: id, try self.parameters(type))
    } catch {
      return .invalid(id: id, RPCError(decoding: error))
    }
  }

  private func readNotification(method: String) -> Incoming {
    guard let type = self.context.registry.notification(method) else { return .ignored(method: method) }
    do {
      return .notification(try self.lenientParameters(type))
    } catch {
      return .ignored(method: method)
    }
  }

  private func parameters<Request: RequestType>(_ type: Request.Type) throws -> Request {
    let key = AnyKey("params")
    let check = ParameterCheck(fields: type.parameters, toleratesUnknown: self.context.toleratesUnknown)
    guard self.container.contains(key), try !self.container.decodeNil(forKey: key) else {
      return try self.decodeEmpty(type, check: check)
    }
    let found = try self.container.decode(ShallowValue.self, forKey: key)
    guard found == .object else {
      throw RPCError.invalidParameter(
        path: "params", found: "\(found)", expected: "an object: parameters are given by name only")
    }
    try check.check(self.container.nestedContainer(keyedBy: AnyKey.self, forKey: key))
    return try self.container.decode(type, forKey: key)
  }

  /// Parameters of a notification, where unknown ones come from a newer peer and are passed over.
  private func lenientParameters<Message: NotificationType>(_ type: Message.Type) throws -> Message {
    let key = AnyKey("params")
    if self.container.contains(key) { return try self.container.decode(type, forKey: key) }
    return try JSONText.decode(type, from: Array("{}".utf8))
  }

  /// The type's value where no parameters were sent.
  private func decodeEmpty<Request: RequestType>(_ type: Request.Type, check: ParameterCheck) throws -> Request {
    if let required = check.fields.first(where: \.isRequired) {
      throw RPCError.invalidParameter(
        path: required.name, found: "missing", expected: required.schema.expectation)
    }
    return try JSONText.decode(type, from: Array("{}".utf8))
  }

  private var isResponse: Bool { self.hasResult || self.container.contains(AnyKey("error")) }
  private var hasResult: Bool { self.container.contains(AnyKey("result")) }

  private func readResponse(_ identity: Identity) -> Incoming {
    guard let results = self.context.results else { return .unexpectedResponse }
    let id: RequestID
    switch identity {
    case .id(let readable): id = readable
    case .absent, .null:
      return .response(id: nil, .failure(self.error ?? .internalError("a response without id and error")))
    // We never send such ids.
    case .tooLong, .bad: return .unexpectedResponse
    }
    guard let type = results(id) else { return .unexpectedResponse }
    guard self.hasResult else {
      return .response(id: id, .failure(self.error ?? .internalError("the response's error cannot be read")))
    }
    do {
      return .response(id: id, .success(try self.container.decode(type, forKey: AnyKey("result"))))
    } catch {
      return .response(id: id, .failure(.internalError("the result cannot be read: \(error)")))
    }
  }

  private var error: RPCError? {
    do { return try self.container.decode(RPCError.self, forKey: AnyKey("error")) } catch { return nil }
  }
}

extension RPCError {
  /// The reply for parameters that could not be decoded.
  init(decoding error: any Error) {
    switch error {
    case let error as RPCError: self = error
    case let error as DecodingError: self = RPCError(decodingError: error)
    default: self = RPCError(code: .invalidParams, message: "Invalid params: a number out of range")
    }
  }

  private init(decodingError error: DecodingError) {
    let (context, key): (DecodingError.Context, (any CodingKey)?) =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): (context, nil)
      case .keyNotFound(let key, let context): (context, key)
      @unknown default: (DecodingError.Context(codingPath: [], debugDescription: "not what was expected"), nil)
      }
    let steps = (context.codingPath + (key.map { [$0] } ?? [])).map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    let path = steps.drop { $0 != "params" }.dropFirst().joined(separator: ".")
    self.init(
      code: .invalidParams, message: "Invalid params: \(path): \(context.debugDescription)",
      data: ["path": .string(path), "expected": .string(context.debugDescription)])
  }
}
