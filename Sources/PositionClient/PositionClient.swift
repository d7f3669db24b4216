import EventLoop
public import JSONRPC
import PositionProtocol
import Positioning

/// A program's connection to the daemon, made again by itself whenever it is lost.
///
/// It is an actor on a thread of its own, which sleeps while nothing comes. What is asked is asked in order, and what the
/// daemon tells comes in order. Everything that was asked ends with `close`, or when the last reference to this goes; a
/// running iteration of updates is such a reference.
///
/// ```swift
/// let client = try await PositionClient(name: "compass", purpose: "shows the way home")
/// let result = try await client.position(accuracy: .house, timeout: .seconds(20))
/// for try await update in client.updates(accuracy: .room, minDistance: 25) {
///   if let fix = update.fix { print(fix.coordinate) }
/// }
/// ```
public actor PositionClient {
  private let loop: EventLoop
  private let thread: LoopThread
  private let multiplexer: RequestMultiplexer

  /// The loop runs the actor, so that a socket's callback is on it already.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe self.loop.asUnownedSerialExecutor() }

  /// Connects, and tells the daemon who asks.
  ///
  /// - Parameters:
  ///   - socket: Where the daemon listens; `nil`, as `POSITIOND_SOCKET` says, else `SocketPath.standard`.
  ///   - name: What the program calls itself, at most 64 bytes.
  ///   - purpose: What it wants positions for, as a person would understand it, at most 256 bytes.
  ///   - waitsForDaemon: Whether to wait for a daemon that is not there yet, for as long as that takes, rather than to
  ///     throw at once.
  /// - Throws: Why the daemon cannot be reached, or that it is of another major version; `.cancelled` when the task was
  ///   cancelled while it waited.
  public init(
    socket: String? = nil, name: String? = nil, purpose: String? = nil, waitsForDaemon: Bool = false
  ) async throws(PositionError) {
    let path = SocketPath.resolved(
      socket, environment: Environment.value(SocketPath.variable).map { [SocketPath.variable: $0] } ?? [:])
    do throws(SystemError) {
      let loop = try EventLoop()
      self.loop = loop
      self.multiplexer = RequestMultiplexer(on: loop, path: path, name: name, purpose: purpose)
      self.thread = try EventLoop.spawnThread(name: "positionclient") {
        do throws(SystemError) {
          _ = try loop.run()
        } catch {
          preconditionFailure("The client's loop cannot wait any more: \(error)")
        }
      }
    } catch {
      throw .cannotConnect(socket: path, reason: "\(error)")
    }
    try await self.open(path: path, waits: waitsForDaemon)
  }

  // Not an isolated one, which the compiler cannot read back from the module when it optimises a program that uses it.
  deinit {
    let (loop, multiplexer) = (self.loop, self.multiplexer)
    loop.call {
      multiplexer.close()
      loop.stop()
    }
  }

  private func open(path: String, waits: Bool) async throws(PositionError) {
    do throws(SystemError) {
      try self.multiplexer.begin()
    } catch {
      throw .cannotConnect(socket: path, reason: "\(error)")
    }
    // Asks for nothing but a connection.
    try await self.perform(patience: waits ? .until(nil) : .none) { _, handler in
      handler(.success(()))
      return nil
    }
  }

  /// Ends the connection: open requests throw `PositionError.closed`, sequences end. A second time does nothing.
  public func close() {
    self.multiplexer.close()
  }

  // MARK: Asking

  /// Any method, by its name. It is sent once: where the connection is lost before the answer comes, it throws.
  ///
  /// - Parameters:
  ///   - method: The name, such as `position.last`.
  ///   - params: An object, as the protocol's documents have it.
  public func call(method: String, params: JSONValue = [:]) async throws(PositionError) -> JSONValue {
    try await self.perform(patience: .none) { connection, handler in
      connection.call(method: method, params: params, then: handler)
    }
  }

  /// Sends a request and waits for its answer; a cancelled task cancels it on the daemon and throws `.cancelled`.
  ///
  /// It is sent once: where the connection is lost before the answer comes, it throws.
  func send<Request: RequestType>(_ request: Request) async throws(PositionError) -> Request.Result {
    try await self.perform(patience: .none) { connection, handler in connection.request(request, then: handler) }
  }

  /// How long a read waits for a connection, where it has no timeout of its own.
  static let patience = Duration.seconds(10)

  /// Sends a request that changes nothing, so that it can be asked again when the connection is lost.
  ///
  /// - Parameter time: How long it may take where there is no connection at first or on the way; `nil`, for ever.
  func read<Request: RequestType>(
    _ request: Request, within time: Duration? = PositionClient.patience
  ) async throws(PositionError) -> Request.Result {
    try await self.read(within: time) { _ in request }
  }

  /// Sends a request that changes nothing, so that it can be asked again when the connection is lost.
  ///
  /// - Parameters:
  ///   - time: As above.
  ///   - request: Makes it for the time that is left.
  func read<Request: RequestType>(
    within time: Duration?, _ request: @escaping (_ left: Duration?) -> Request
  ) async throws(PositionError) -> Request.Result {
    let loop = self.loop
    let deadline = time.map { loop.now + $0.bounded }
    return try await self.perform(patience: .until(deadline)) { connection, handler in
      let left = deadline.map { max(.milliseconds(1), $0 - loop.now) }
      return connection.request(request(left), then: handler)
    }
  }

  private func perform<Value: Sendable>(
    patience: OpenRequest.Patience,
    _ send: @escaping (DaemonConnection, @escaping DaemonConnection.AnswerHandler<Value>) -> RequestID?
  ) async throws(PositionError) -> Value {
    let ticket = self.multiplexer.makeTicket()
    let result: Result<Value, PositionError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // By way of `self`, without which the closure would not be on the loop.
        self.multiplexer.ask(ticket: ticket, patience: patience, send: send) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      // Whenever this runs, the work comes after the request was made: that happens on the loop, without a pause.
      self.loop.call { self.assumeIsolated { $0.multiplexer.cancel(ticket: ticket) } }
    }
    return try result.get()
  }

  // MARK: Subscriptions

  /// A sequence of what a request subscribes to; each iteration subscribes anew.
  ///
  /// - Parameters:
  ///   - capacity: How many updates are kept for who is late; 1 where only the newest counts.
  ///   - control: Steers it; `nil` where nobody does.
  nonisolated func sequence<Update: SubscriptionUpdate>(
    of request: Update.Request, keeping capacity: Int = 64, control: SubscriptionControl? = nil
  ) -> Updates<Update> {
    Updates { () async throws(PositionError) in
      let mailbox = Mailbox<Update>(capacity: capacity) { oldest, next in next.passOver(oldest) }
      return await self.subscribe(into: mailbox) { ticket, wake in
        Subscriber(request, to: Outlet(mailbox), steering: control?.join(wake: wake))
      }
    }
  }

  /// - Parameter make: Makes the subscriber of a ticket; `wake` is called, from any thread, when it is steered.
  func subscribe<Element>(
    into mailbox: Mailbox<Element>,
    _ make: @Sendable (_ ticket: Int, _ wake: @escaping @Sendable () -> Void) -> any LiveSubscriber
  ) -> Subscription<Element> {
    let ticket = self.multiplexer.makeTicket()
    self.multiplexer.add(make(ticket) { [weak self] in self?.steer(ticket: ticket) }, ticket: ticket)
    return Subscription(ticket: ticket, mailbox: mailbox, client: self)
  }

  /// Whoever holds the subscription wants it otherwise; from any thread.
  private nonisolated func steer(ticket: Int) {
    self.loop.call { self.assumeIsolated { $0.multiplexer.steered(ticket: ticket) } }
  }

  // MARK: Prompts

  /// Has the daemon's prompts put into a mailbox, until the ticket is left.
  func takePrompts(into mailbox: Mailbox<PromptQuestion>) -> Int {
    let ticket = self.multiplexer.makeTicket()
    self.multiplexer.add(PromptSubscriber(mailbox: mailbox), ticket: ticket)
    return ticket
  }

  func answer(_ question: PromptQuestion, _ result: Result<AgentAuthorizeRequest.Result, RPCError>) {
    self.multiplexer.answer(question, result)
  }

  /// Nobody waits for what comes under the ticket any more.
  func leave(ticket: Int) {
    self.multiplexer.unsubscribe(ticket: ticket)
  }

  /// Nobody waits for the subscription's updates any more; from any thread.
  nonisolated func abandon(ticket: Int) {
    self.loop.call { self.assumeIsolated { $0.multiplexer.unsubscribe(ticket: ticket) } }
  }
}
