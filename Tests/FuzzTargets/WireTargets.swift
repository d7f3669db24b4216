import JSONRPC
import PositionProtocol

/// The answer to each request.
private let gone = RPCError.internalError("there is nobody")

/// A client's bytes give the same requests however they are cut, and a request that was read is written and read as the same.
enum RequestTarget {
  static func run(_ input: [UInt8]) { Pieces.compare(input, by: self.story) }

  /// What the session returns, each request being answered at once.
  private static func story(_ pieces: [ArraySlice<UInt8>]) -> [String] {
    var session = ServerSession(registry: PositionMethods.server, maximumFrame: 4096, maximumBatchReply: 4096)
    var lines: [String] = []
    for piece in pieces {
      session.append(piece)
      while let actions = session.next() { self.take(actions, &session, &lines) }
    }
    self.take(session.receivedEnd(), &session, &lines)
    return lines
  }

  private static func take(_ actions: [ServerSession.Action], _ session: inout ServerSession, _ lines: inout [String]) {
    for action in actions {
      switch action {
      case .handle(let serial, let request):
        lines.append("\(serial) \(self.checked(request))")
        self.take(session.answer(serial, .failure(gone)), &session, &lines)
      case .notified(let notification): lines.append("notified \(type(of: notification).method)")
      case .answered(let id, _): lines.append("answered \(id)")
      case .unexpectedResponse: lines.append("an answer to nothing")
      case .send(let bytes): lines.append(text(bytes))
      case .sendSensitive(let reply): lines.append(text(reply.encoded()))
      case .close: lines.append("close")
      }
    }
  }

  /// The request's text, which is read as the same again.
  private static func checked(_ request: any RequestType) -> String {
    func written(_ request: some RequestType) -> [UInt8] {
      do throws(JSONWriter.NoJSON) {
        return try OutgoingMessage.request(id: "1", request)
      } catch {
        fatalError("a request that was read cannot be written: \(error)")
      }
    }
    let first = written(request)
    var session = ServerSession(registry: PositionMethods.server)
    for action in session.received(first + [UInt8(ascii: "\n")]) {
      guard case .handle(_, let again) = action else {
        fatalError("a request that was written is not read: \(text(first))")
      }
      let second = written(again)
      require(first == second, "a request changes when it is written and read", "\(text(first)) \(text(second))")
    }
    return text(first)
  }
}

/// Whatever a daemon sends, each request of a client is answered at most once, however the bytes are cut.
enum ReplyTarget {
  static func run(_ input: [UInt8]) { Pieces.compare(input, by: self.story) }

  private static func story(_ pieces: [ArraySlice<UInt8>]) -> [String] {
    var session = ClientSession(registry: PositionMethods.client, maximumFrame: 4096)
    for method in ["position.get", "position.subscribe", "status.get", "region.list"] {
      _ = try? session.request(method: method, params: .object([:]))
    }
    _ = try? session.request(StatusGetRequest())
    var (lines, answered) = ([String](), Set<RequestID>())
    var end: Int?
    for piece in pieces where end == nil {
      for action in session.received(piece) {
        switch action {
        case .answered(let id, let result):
          require(answered.insert(id).inserted, "a request is answered twice", "\(id)")
          switch result {
          case .success: lines.append("answered \(id)")
          case .failure(let error): lines.append("refused \(id): \(error.code) \(error.message)")
          }
        case .notified(let notification): lines.append("notified \(type(of: notification).method)")
        case .asked(let id, let request):
          lines.append("asked \(id) \(type(of: request).method)")
          _ = session.answer(id, .failure(gone))
        case .refused(let error): lines.append("refused \(error.code)")
        case .send(let bytes): lines.append(text(bytes))
        case .failed(let reason):
          // The driver closes after the actions that came with it.
          lines.append(reason)
          end = end ?? lines.count
        }
      }
    }
    for case .answered(let id, _) in session.closed(gone) {
      require(answered.insert(id).inserted, "a request is answered twice", "\(id)")
    }
    require(answered.count == 5, "a request has no answer", "\(answered)")
    return Array(lines.prefix(end ?? lines.count))
  }
}

/// A JSON text that is read is written and read as the same value.
enum ValueTarget {
  static func run(_ input: [UInt8]) {
    guard let value = try? JSONValue(parsing: input) else { return }
    let written = value.encoded()
    guard let again = try? JSONValue(parsing: written) else { fatalError("no JSON was written: \(text(written))") }
    require(again == value, "a value changes when it is written and read", "\(text(input)) \(text(written))")
  }
}
