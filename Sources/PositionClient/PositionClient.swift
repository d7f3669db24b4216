import EventLoop
public import JSONRPC
import PositionProtocol
import Positioning

/// A program's connection to the daemon, which is made again whenever it is lost.
///
/// It is an actor on a thread of its own, which sleeps while nothing arrives. Requests are sent, and notifications
/// delivered, in order. All of them end with `close`, or when the last reference to the client goes; a running
/// iteration of updates is such a reference.
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

  /// The loop is the actor's executor, so that a socket's callback already runs on the actor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe self.loop.asUnownedSerialExecutor() }

  /// Connects, and greets the daemon with the program's name and purpose.
  ///
  /// - Parameters:
  ///   - socket: The daemon's socket; `nil`: that of `POSITIOND_SOCKET`, else `SocketPath.standard`.
  ///   - name: What the program calls itself, at most 64 bytes.
  ///   - purpose: What it needs positions for, in words that a person understands, at most 256 bytes.
  ///   - onBehalfOf: The number of the user for whom it asks, if a rule with `relay=yes` lets it; `nil`: its own user.
  ///   - waitsForDaemon: Whether to wait for the daemon to start, without a limit, rather than throw at once.
  /// - Throws: Why the daemon cannot be reached, or that it has another major version; `.cancelled` if the task was
  ///   cancelled while it waited.
  public init(
    socket: String? = nil, name: String? = nil, purpose: String? = nil, onBehalfOf: UInt32? = nil,
    waitsForDaemon: Bool = false
  ) async throws(PositionError) {
    let path = SocketPath.resolved(
      socket, environment: Environment.value(SocketPath.variable).map { [SocketPath.variable: $0] } ?? [:])
    do throws(SystemError) {
      let loop = try EventLoop()
      self.loop = loop
      self.multiplexer = RequestMultiplexer(on: loop, path: path, name: name, purpose: purpose, onBehalfOf: onBehalfOf)
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

  // Not isolated: the compiler cannot read an isolated deinitialiser back from the module when it optimises a program
  // that uses it.
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
    // Requests nothing but a connection.
    try await self.perform(whileDown: waits ? .wait(until: nil) : .fail) { _, handler in
      handler(.success(()))
      return nil
    }
  }

  /// Ends the connection: open requests throw `PositionError.closed`, sequences end. Calling it again does nothing.
  public func close() {
    self.multiplexer.close()
  }

  // MARK: Asking

  /// Calls any method by its name. The request is sent once: if the connection is lost before the answer arrives, it
  /// throws.
  ///
  /// - Parameters:
  ///   - method: The name, such as `position.last`.
  ///   - params: An object, as described in docs/protocol.md.
  public func call(method: String, params: JSONValue = [:]) async throws(PositionError) -> JSONValue {
    try await self.perform(whileDown: .fail) { connection, handler in
      connection.call(method: method, params: params, then: handler)
    }
  }

  /// Sends a request and waits for its answer; a cancelled task cancels it on the daemon and throws `.cancelled`.
  ///
  /// The request is sent once: if the connection is lost before the answer arrives, it throws.
  func send<Request: RequestType>(_ request: Request) async throws(PositionError) -> Request.Result {
    try await self.perform(whileDown: .fail) { connection, handler in connection.request(request, then: handler) }
  }

  /// How long a request that only reads waits for a connection, if it has no timeout of its own.
  static let connectionTimeout = Duration.seconds(10)

  /// Sends a request that changes nothing, so that it can be repeated when the connection is lost.
  ///
  /// - Parameter time: How long it may take without a connection, at first or on the way; `nil`: without a limit.
  func read<Request: RequestType>(
    _ request: Request, within time: Duration? = PositionClient.connectionTimeout
  ) async throws(PositionError) -> Request.Result {
    try await self.read(within: time) { _ in request }
  }

  /// Sends a request that changes nothing, so that it can be repeated when the connection is lost.
  ///
  /// - Parameters:
  ///   - time: As above.
  ///   - request: Makes the request for the remaining time.
  func read<Request: RequestType>(
    within time: Duration?, _ request: @escaping (_ left: Duration?) -> Request
  ) async throws(PositionError) -> Request.Result {
    let loop = self.loop
    let deadline = time.map { loop.now + $0.bounded }
    return try await self.perform(whileDown: .wait(until: deadline)) { connection, handler in
      let left = deadline.map { max(.milliseconds(1), $0 - loop.now) }
      return connection.request(request(left), then: handler)
    }
  }

  private func perform<Value: Sendable>(
    whileDown: OpenRequest.WhileDown,
    _ send: @escaping (DaemonConnection, @escaping DaemonConnection.AnswerHandler<Value>) -> RequestID?
  ) async throws(PositionError) -> Value {
    let ticket = self.multiplexer.makeTicket()
    let result: Result<Value, PositionError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Through `self`, without which the closure would not be isolated to the loop.
        self.multiplexer.ask(ticket: ticket, whileDown: whileDown, send: send) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      // This always runs after the request was made, because the request is made on the loop without a suspension.
      self.loop.call { self.assumeIsolated { $0.multiplexer.cancel(ticket: ticket) } }
    }
    return try result.get()
  }

  // MARK: Subscriptions

  /// A sequence of what a request subscribes to; each iteration is a new subscription.
  ///
  /// - Parameters:
  ///   - capacity: How many updates are kept for a slow reader; 1 where only the newest counts.
  ///   - control: Sends commands to the subscription; `nil`: nobody does.
  nonisolated func sequence<Update: SubscriptionUpdate>(
    of request: Update.Request, keeping capacity: Int = 64, control: SubscriptionControl? = nil
  ) -> Updates<Update> {
    Updates { () async throws(PositionError) in
      let mailbox = Mailbox<Update>(capacity: capacity) { oldest, next in next.passOver(oldest) }
      return await self.subscribe(into: mailbox) { ticket, wake in
        Subscriber(request, to: UpdateSink(mailbox), commands: control?.join(wake: wake))
      }
    }
  }

  /// - Parameter make: Makes the subscriber of a ticket. `wake` is called, from any thread, when there are commands for
  ///   it.
  func subscribe<Element>(
    into mailbox: Mailbox<Element>,
    _ make: @Sendable (_ ticket: Int, _ wake: @escaping @Sendable () -> Void) -> any LiveSubscriber
  ) -> Subscription<Element> {
    let ticket = self.multiplexer.makeTicket()
    self.multiplexer.add(make(ticket) { [weak self] in self?.send(ticket: ticket) }, ticket: ticket)
    return Subscription(ticket: ticket, mailbox: mailbox, client: self)
  }

  /// The holder of the subscription has new commands for it; from any thread.
  private nonisolated func send(ticket: Int) {
    self.loop.call { self.assumeIsolated { $0.multiplexer.sendCommands(ticket: ticket) } }
  }

  // MARK: Prompts

  /// Puts the daemon's prompts into a mailbox until `leave` is called with the ticket.
  func takePrompts(into mailbox: Mailbox<PromptQuestion>) -> Int {
    let ticket = self.multiplexer.makeTicket()
    let registration = PromptRegistration(
      taking: { question in
        mailbox.put(question)
        return true
      }
    ) { event in
      switch event {
      case .ended(let error): mailbox.finish(error)
      case .registered, .withdrawn, .disconnected: break
      }
    }
    self.multiplexer.add(registration, ticket: ticket)
    return ticket
  }

  func answer(_ question: PromptQuestion, _ result: Result<AgentAuthorizeRequest.Result, RPCError>) {
    self.multiplexer.answer(question, result)
  }

  /// Nobody waits for the ticket's updates or answer any more.
  func leave(ticket: Int) {
    self.multiplexer.unsubscribe(ticket: ticket)
  }

  /// Nobody iterates the subscription's updates any more; from any thread.
  nonisolated func abandon(ticket: Int) {
    self.loop.call { self.assumeIsolated { $0.multiplexer.unsubscribe(ticket: ticket) } }
  }
}
