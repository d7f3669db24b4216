/// The client's side of one connection: it numbers requests and matches answers to them.
///
/// Like `ServerSession` it takes bytes and returns actions; the driver owns the socket.
package struct ClientSession: Sendable {
  package enum Action: Sendable {
    /// The one answer to a request; a success holds the request type's `Result`.
    case answered(RequestID, Result<any Sendable, RPCError>)
    case notified(any NotificationType)
    /// A request of the server, to be answered once by its id with `answer`.
    case asked(RequestID, any RequestType)
    /// An error of the server that answers no request, such as that it has no place for another client.
    case refused(RPCError)
    /// Framed bytes.
    case send([UInt8])
    /// The server does not speak the protocol; the text says why. Close; `closed` then fails the open requests.
    case failed(String)
  }

  private let registry: MethodRegistry
  private var decoder: FrameDecoder
  private(set) var pending = OpenRequests()
  /// The server's requests that are not answered yet.
  private var questions: Set<RequestID> = []

  /// - Parameters:
  ///   - registry: What the server may send.
  ///   - maximumFrame: In bytes. The server's self-description and lists are longer than what it accepts.
  package init(registry: MethodRegistry, maximumFrame: Int = 16 << 20) {
    self.registry = registry
    self.decoder = FrameDecoder(maximumFrame: maximumFrame)
  }

  /// Numbers a request; its bytes are to be sent.
  ///
  /// - Throws: If a number in the request cannot be written as JSON. No answer is awaited then.
  package mutating func request<Request: RequestType>(
    _ request: Request
  ) throws(JSONWriter.NoJSON) -> (id: RequestID, bytes: [UInt8]) {
    try self.open(result: Request.resultCodec) { id throws(JSONWriter.NoJSON) in
      try OutgoingMessage.request(id: id, request)
    }
  }

  /// Numbers a request by its method's name; its result is a `JSONValue`.
  package mutating func request(
    method: String, params: JSONValue
  ) throws(JSONWriter.NoJSON) -> (id: RequestID, bytes: [UInt8]) {
    try self.open(result: JSONValue.codec) { id throws(JSONWriter.NoJSON) in
      try OutgoingMessage.request(id: id, method: method, params: params)
    }
  }

  private mutating func open<Value>(
    result codec: Codec<Value>, text: (RequestID) throws(JSONWriter.NoJSON) -> [UInt8]
  ) throws(JSONWriter.NoJSON) -> (id: RequestID, bytes: [UInt8]) {
    let id = self.pending.open(result: codec)
    do throws(JSONWriter.NoJSON) {
      return (id, self.decoder.framing.frame(try text(id)))
    } catch {
      _ = self.pending.close(id)
      throw error
    }
  }

  /// The answer to a request of the server; `nil` if no request with this id is open.
  package mutating func answer(_ id: RequestID, _ result: Result<ResultText, RPCError>) -> [UInt8]? {
    guard self.questions.remove(id) != nil else { return nil }
    let reply =
      switch result {
      case .success(let value): OutgoingMessage.result(id: id, value)
      case .failure(let error): OutgoingMessage.error(id: id, error)
      }
    return self.decoder.framing.frame(reply)
  }

  package func encode(_ notification: some NotificationType) -> [UInt8] {
    self.decoder.framing.frame(OutgoingMessage.finiteNotification(notification))
  }

  /// - Parameter moment: When the bytes arrived, since some members are ages.
  package mutating func received(_ bytes: some Sequence<UInt8>, moment: CodingMoment = .none) -> [Action] {
    self.decoder.append(bytes)
    var actions: [Action] = []
    while let event = self.decoder.next() {
      switch event {
      case .frame(let bytes): actions += self.received(frame: bytes, moment)
      case .tooLarge: actions.append(.failed("a message longer than \(self.decoder.maximumFrame) bytes"))
      case .malformed(let reason): actions.append(.failed(reason))
      }
    }
    return actions
  }

  /// The connection has ended: each open request gets the error, in the order of the requests. The server's requests
  /// need no answer any more.
  package mutating func closed(_ error: RPCError) -> [Action] {
    self.questions = []
    return self.pending.closeAll().map { .answered($0, .failure(error)) }
  }

  private mutating func received(frame bytes: [UInt8], _ moment: CodingMoment) -> [Action] {
    // A later server's requests may have parameters that this version does not know.
    let frame = IncomingFrame.decode(
      bytes, registry: self.registry, moment: moment, leniency: [.members, .values], asked: self.pending)
    switch frame {
    case .single(let incoming): return self.received(incoming)
    case .batch(let messages): return messages.flatMap { self.received($0) }
    case .malformed(let error): return [.failed(error.message)]
    }
  }

  private mutating func received(_ incoming: Incoming) -> [Action] {
    switch incoming {
    case .notification(let notification): return [.notified(notification)]
    case .response(let id?, let result):
      // A second answer in one batch belongs to no request.
      return self.pending.close(id) ? [.answered(id, result)] : []
    case .response(nil, .failure(let error)): return [.refused(error)]
    case .response(nil, .success): return [.failed("a result without id")]
    case .request(let id, let request):
      guard self.questions.insert(id).inserted else {
        return [self.refuse(id, .invalidRequest("id \(id) is in use by a request in flight"))]
      }
      return [.asked(id, request)]
    case .invalid(let id?, let error): return [self.refuse(id, error)]
    case .invalid(nil, let error): return [.failed(error.message)]
    case .ignored, .unexpectedResponse: return []
    }
  }

  private func refuse(_ id: RequestID, _ error: RPCError) -> Action {
    .send(self.decoder.framing.frame(OutgoingMessage.error(id: id, error)))
  }
}
