import EventLoop
public import JSONRPC
import PositionProtocol

/// A program's connection to the daemon.
///
/// It is an actor on a thread of its own, which sleeps while nothing comes. What is asked is asked in order, and what the
/// daemon tells comes in order. Everything that was asked ends with `close`, or when the last reference to this goes; a
/// running iteration of updates is such a reference.
///
/// ```swift
/// let client = try await PositionClient(name: "compass", purpose: "shows the way home")
/// let result = try await client.position(accuracy: .level(.house), timeout: .seconds(20))
/// for try await update in client.updates(minDistance: 25) { print(update) }
/// ```
public actor PositionClient {
  private let loop: EventLoop
  private let thread: LoopThread
  private var connection: DaemonConnection?
  private var subscribers: [Int: Subscriber] = [:]
  private var lastTicket = 0
  /// The requests that a cancelled task gives up, by the number that its handler knows.
  private var tickets: [Int: RequestID] = [:]

  /// The daemon's calls for one subscription.
  private struct Subscriber {
    var deliver: (any NotificationType) -> Void
    var finish: (PositionError?) -> Void
  }

  /// The loop runs the actor, so that a socket's callback is on it already.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe self.loop.asUnownedSerialExecutor() }

  /// Connects, and tells the daemon who asks.
  ///
  /// - Parameters:
  ///   - socket: Where the daemon listens; `nil`, as `POSITIOND_SOCKET` says, else `SocketPath.standard`.
  ///   - name: What the program calls itself, at most 64 bytes.
  ///   - purpose: What it wants positions for, as a person would understand it, at most 256 bytes.
  /// - Throws: Why the daemon cannot be reached, or that it is of another major version.
  public init(socket: String? = nil, name: String? = nil, purpose: String? = nil) async throws(PositionError) {
    let path = SocketPath.resolved(
      socket, environment: Environment.value(SocketPath.variable).map { [SocketPath.variable: $0] } ?? [:])
    do throws(SystemError) {
      let loop = try EventLoop()
      self.loop = loop
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
    try await self.open(path: path, hello: SessionHelloRequest(name: name, purpose: purpose))
  }

  isolated deinit {
    self.connection?.close()
    self.loop.stop()
  }

  private func open(path: String, hello: SessionHelloRequest) async throws(PositionError) {
    let connection = try DaemonConnection(on: self.loop, path: path)
    connection.onNotification = { [weak self] notification in
      self?.assumeIsolated { $0.notified(notification) }
    }
    connection.onEnd = { [weak self] error in
      self?.assumeIsolated { $0.ended(error) }
    }
    self.connection = connection
    let version = try await self.send(hello).protocolVersion
    guard version.prefix(while: { $0 != "." }) == PositionMethods.version.prefix(while: { $0 != "." }) else {
      throw .unexpected("protocol \(version), and this client speaks \(PositionMethods.version)")
    }
  }

  /// Ends the connection: open requests throw `PositionError.closed`, sequences end. A second time does nothing.
  public func close() {
    self.connection?.close()
    self.connection = nil
    self.finishSubscribers(nil)
  }

  // Asking.

  /// Any method, by its name.
  ///
  /// - Parameter params: An object, as the protocol's documents have it.
  public func call(method: String, params: JSONValue = [:]) async throws(PositionError) -> JSONValue {
    try await self.perform { connection, handler in connection.call(method: method, params: params, then: handler) }
  }

  /// Sends a request and waits for its answer; a cancelled task cancels it on the daemon and throws `.cancelled`.
  func send<Request: RequestType>(_ request: Request) async throws(PositionError) -> Request.Result {
    try await self.perform { connection, handler in connection.request(request, then: handler) }
  }

  private func perform<Value: Sendable>(
    _ start: (DaemonConnection, @escaping DaemonConnection.AnswerHandler<Value>) -> RequestID
  ) async throws(PositionError) -> Value {
    guard let connection = self.connection else { throw .closed }
    self.lastTicket += 1
    let ticket = self.lastTicket
    let result: Result<Value, PositionError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var isAnswered = false
        let id = start(connection) { result in
          isAnswered = true
          continuation.resume(returning: result)
        }
        if !isAnswered { self.tickets[ticket] = id }
      }
    } onCancel: {
      // Whenever this runs, the work comes after the request was sent: that happens on the loop, without a pause.
      self.loop.call { self.assumeIsolated { $0.cancel(ticket: ticket) } }
    }
    self.tickets[ticket] = nil
    return try result.get()
  }

  private func cancel(ticket: Int) {
    guard let id = self.tickets.removeValue(forKey: ticket) else { return }
    self.connection?.cancel(id)
  }

  // Subscriptions.

  /// Subscribes, and puts every update into the mailbox that `element` makes one of.
  func subscribe<Request: RequestType, Element: Sendable>(
    _ request: Request, into mailbox: Mailbox<Element>,
    element: @escaping @Sendable (any NotificationType) -> Element?
  ) async throws(PositionError) -> Subscription<Element> where Request.Result == SubscriptionResult {
    guard let connection = self.connection else { throw .closed }
    // Not given up when the task is cancelled: the daemon answers at once, and a subscription that nobody knows of would
    // keep the receiver on.
    let result: Result<SubscriptionResult, PositionError> = await withCheckedContinuation { continuation in
      connection.request(request) { [weak self] result in
        if case .success(let subscription) = result {
          // Before anything else is read: its first update may stand right behind the answer.
          self?.assumeIsolated { client in
            client.subscribers[subscription.subscription] = Subscriber(
              deliver: { if let element = element($0) { mailbox.put(element) } }, finish: { mailbox.finish($0) })
          }
        }
        continuation.resume(returning: result)
      }
    }
    return Subscription(number: try result.get().subscription, mailbox: mailbox, client: self)
  }

  /// Nobody waits for the subscription's updates any more; from any thread.
  nonisolated func abandon(subscription: Int) {
    self.loop.call { self.assumeIsolated { $0.unsubscribe(subscription) } }
  }

  private func unsubscribe(_ subscription: Int) {
    guard self.subscribers.removeValue(forKey: subscription) != nil else { return }
    // An error means that it is gone, which is what was wanted.
    self.connection?.request(SubscriptionCancelRequest(subscription: subscription)) { _ in }
  }

  private func notified(_ notification: any NotificationType) {
    switch notification {
    case let update as PositionUpdateNotification: self.subscribers[update.subscription]?.deliver(update)
    case let update as HeadingUpdateNotification: self.subscribers[update.subscription]?.deliver(update)
    case let update as SkyUpdateNotification: self.subscribers[update.subscription]?.deliver(update)
    case let update as StatusUpdateNotification: self.subscribers[update.subscription]?.deliver(update)
    case let end as SubscriptionEndedNotification:
      self.subscribers.removeValue(forKey: end.subscription)?.finish(PositionError(end.reason))
    default: break  // Told to the connection, or by a daemon that knows more than this client.
    }
  }

  private func ended(_ error: PositionError) {
    self.finishSubscribers(error)
  }

  private func finishSubscribers(_ error: PositionError?) {
    let subscribers = self.subscribers
    self.subscribers = [:]
    for subscriber in subscribers.values { subscriber.finish(error) }
  }
}

extension PositionError {
  /// `nil` where a subscription's end is what the client asked for.
  fileprivate init?(_ reason: EndReason) {
    guard reason == .unavailable else { return nil }
    self = .failed(RPCError(code: .unavailable, message: "this device cannot serve the subscription"))
  }
}
