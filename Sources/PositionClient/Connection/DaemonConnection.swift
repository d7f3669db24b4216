package import EventLoop
import Glibc
package import JSONRPC
import PositionProtocol

/// A connection to the daemon on one event loop, with the handlers of its open requests.
///
/// It belongs to the loop's thread, on which every handler is called, in the order in which the daemon sent. A
/// request's handler is called exactly once: with the answer, with `.cancelled`, or with the error that ended the
/// connection. `init` calls no handler; a request on a connection that has ended calls its handler at once.
package final class DaemonConnection {
  package typealias AnswerHandler<Value> = (Result<Value, PositionError>) -> Void

  private enum State {
    case open(FileDescriptor, DescriptorWatch)
    case ended(PositionError)
  }

  /// Called with each notification of the daemon.
  package var onNotification: ((any NotificationType) -> Void)?
  /// Called with each request of the daemon, which must be answered once, with `answer`. Without it the daemon gets the
  /// error that nobody handles such requests.
  package var onQuestion: ((RequestID, any RequestType) -> Void)?
  /// Called when the daemon cancels its request and needs no answer any more.
  package var onWithdrawal: ((RequestID) -> Void)?
  /// Called when the connection has ended for any reason but `close`, after the handlers of all open requests.
  package var onEnd: ((PositionError) -> Void)?

  private let clock: CodingMoment.Clock
  private var state: State
  private var session = ClientSession(registry: PositionMethods.client)
  private var pending: [RequestID: AnswerHandler<any Sendable>] = [:]
  private var outbound: [UInt8] = []
  /// The reason that the daemon gave for closing.
  private var lastWords: PositionError?

  /// - Parameter clock: The clock for ages and times; `nil`: the loop's.
  /// - Throws: Why nobody answers at the path.
  package init(
    on loop: EventLoop, path: String, clock: CodingMoment.Clock? = nil
  ) throws(PositionError) {
    self.clock = clock ?? { [clocks = loop.clocks] in CodingMoment(now: clocks.sinceBoot(), since1970: clocks.wall()) }
    do throws(SystemError) {
      let socket = try loop.connect(path: path)
      // The watch retains its handler. The handler must not retain the connection, which owns the watch.
      let relay = Relay()
      let watch = try loop.watch(socket, for: .read) { relay.connection?.ready($0) }
      self.state = .open(socket, watch)
      relay.connection = self
    } catch {
      throw PositionError(connecting: path, error)
    }
  }

  private final class Relay {
    weak var connection: DaemonConnection?
  }

  /// Whether the connection has ended; already true while the handlers of open requests are called.
  package var hasEnded: Bool {
    if case .ended = self.state { true } else { false }
  }

  /// The bytes of unread answers after which the connection is closed: a daemon that asks and never reads is broken.
  static let maximumUnread = 4 << 20

  /// Sends a request; the handler is called once with its answer.
  ///
  /// - Returns: The request's id; `nil` where a number in the request cannot be written as JSON. The handler has
  /// that error then.
  @discardableResult
  package func request<Request: RequestType>(
    _ request: Request, then handler: @escaping AnswerHandler<Request.Result>
  ) -> RequestID? {
    do throws(JSONWriter.NoJSON) {
      let (id, bytes) = try self.session.request(request)
      self.send(bytes, id, handler)
      return id
    } catch {
      handler(.failure(.failed(RPCError(code: .invalidParams, message: "a number must be finite"))))
      return nil
    }
  }

  /// Sends a request by its method's name.
  @discardableResult
  package func call(
    method: String, params: JSONValue, then handler: @escaping AnswerHandler<JSONValue>
  ) -> RequestID? {
    do throws(JSONWriter.NoJSON) {
      let (id, bytes) = try self.session.request(method: method, params: params)
      self.send(bytes, id, handler)
      return id
    } catch {
      handler(.failure(.failed(RPCError(code: .invalidParams, message: "a number must be finite"))))
      return nil
    }
  }

  /// Cancels a request: the daemon is notified, and the handler is called with `.cancelled` now. A request that was
  /// answered is not affected.
  package func cancel(_ id: RequestID) {
    guard self.pending[id] != nil else { return }
    self.write(self.session.encode(CancelRequestNotification(id: id)))
    self.answered(id, .failure(.cancelled))
  }

  /// Answers a request of the daemon. One that was answered before, or cancelled by the daemon, is not affected.
  package func answer(_ id: RequestID, _ result: Result<ResultText, RPCError>) {
    if let bytes = self.session.answer(id, result) { self.reply(bytes) }
  }

  /// Ends the connection; handlers of open requests are called with `.closed`.
  package func close() {
    self.onEnd = nil
    self.end(.closed)
  }

  // MARK: Reading

  private func ready(_ readiness: Interest) {
    if readiness.contains(.write) { self.flush() }
    if readiness.contains(.read) || readiness.contains(.hangup) { self.receive() }
  }

  private func receive() {
    guard case .open(let socket, _) = self.state else { return }
    var bytes: [UInt8] = []
    do throws(SystemError) {
      switch try socket.read(into: &bytes, upTo: 1 << 16) {
      case .bytes: break
      case .wouldBlock: return
      case .endOfFile: return self.closedByDaemon()
      }
    } catch {
      // A socket that is closed with something unread in it is reset: for this side that is no other end.
      guard error.code != ECONNRESET else { return self.closedByDaemon() }
      return self.end(self.lastWords ?? .connectionLost(reason: error.message))
    }
    for action in self.session.received(bytes, moment: self.clock()) {
      guard case .open = self.state else { return }
      self.perform(action)
    }
  }

  private func closedByDaemon() {
    self.end(self.lastWords ?? .connectionLost(reason: "the daemon closed it"))
  }

  private func perform(_ action: ClientSession.Action) {
    switch action {
    case .answered(let id, let result): self.answered(id, result.mapError { PositionError($0) })
    case .notified(let cancellation as CancelRequestNotification): self.withdraw(cancellation.id)
    case .notified(let notification):
      if let closing = notification as? SessionClosingNotification {
        self.lastWords = .connectionLost(reason: closing.reason.words)
      }
      self.onNotification?(notification)
    case .asked(let id, let request):
      guard let onQuestion else { return self.answer(id, .failure(.methodNotFound(type(of: request).method))) }
      onQuestion(id, request)
    case .refused(let error): self.lastWords = PositionError(error)
    case .send(let bytes): self.reply(bytes)
    case .failed(let words): self.end(.unexpected(words))
    }
  }

  private func answered(_ id: RequestID, _ result: Result<any Sendable, PositionError>) {
    self.pending.removeValue(forKey: id)?(result)
  }

  /// Every request gets an answer; this one gets the error that it was cancelled.
  private func withdraw(_ id: RequestID) {
    guard let bytes = self.session.answer(id, .failure(.requestCancelled)) else { return }
    self.reply(bytes)
    self.onWithdrawal?(id)
  }

  private func end(_ error: PositionError) {
    guard case .open(let socket, let watch) = self.state else { return }
    self.state = .ended(error)
    watch.cancel()
    socket.close()
    // The session knows the order of the requests.
    for case .answered(let id, _) in self.session.closed(.shuttingDown) { self.answered(id, .failure(error)) }
    self.onEnd?(error)
  }

  // MARK: Writing

  private func send<Value>(_ bytes: [UInt8], _ id: RequestID, _ handler: @escaping AnswerHandler<Value>) {
    if case .ended(let error) = self.state { return handler(.failure(error)) }
    self.pending[id] = { result in
      handler(
        result.flatMap { value in
          guard let value = value as? Value else { return .failure(.unexpected("a result of another type")) }
          return .success(value)
        })
    }
    self.write(bytes)
  }

  /// Answers the daemon, and ends the connection where too many answers are unread.
  private func reply(_ bytes: [UInt8]) {
    guard self.outbound.count <= Self.maximumUnread else {
      return self.end(.unexpected("questions, and nobody read the answers"))
    }
    self.write(bytes)
  }

  private func write(_ bytes: [UInt8]) {
    guard case .open = self.state else { return }
    self.outbound += bytes
    self.flush()
  }

  private func flush() {
    guard case .open(let socket, let watch) = self.state else { return }
    do throws(SystemError) {
      while !self.outbound.isEmpty {
        switch try socket.write(self.outbound[...]) {
        case .wrote(let count): self.outbound.removeFirst(count)
        case .wouldBlock:
          watch.interest = [.read, .write]
          return
        }
      }
    } catch {
      // The reason that the daemon gave before it closed is still unread and says more than this error. Reading ends
      // the connection afterwards.
      self.outbound = []
    }
    watch.interest = .read
  }
}

extension PositionError {
  /// What a failed connection attempt means.
  init(connecting path: String, _ error: SystemError) {
    switch error.code {
    case ENOENT, ECONNREFUSED, ENOTDIR: self = .daemonNotRunning(socket: path)
    case EACCES, EPERM: self = .notAllowedToConnect(socket: path)
    case EAGAIN: self = .cannotConnect(socket: path, reason: "the daemon has too many connections waiting")
    default: self = .cannotConnect(socket: path, reason: error.message)
    }
  }
}

extension ClosingReason {
  var words: String {
    switch self {
    case .shuttingDown: "the daemon is stopping"
    case .tooSlow: "this client did not read in time"
    case .makingRoom:
      "the daemon has no place left, and this client was idle without permission, or its user has the most clients"
    default: self.rawValue
    }
  }
}
