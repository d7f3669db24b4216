package import JSONRPC
import PositionProtocol
public import Positioning
import Synchronization

extension PositionClient {
  /// How long a person has to answer a prompt.
  static let answerTime = Duration.seconds(120)

  /// What this program may know: the state, the level, the precision, and who decided.
  ///
  /// Without a connection it waits for one for up to ten seconds.
  public func authorization() async throws(PositionError) -> Authorization {
    try await self.read(AuthorizationGetRequest())
  }

  /// Requests permission, and returns the authorization afterwards.
  ///
  /// If no rule decides and an agent is attached, a person is asked and has two minutes to answer; else the answer
  /// comes at once. A denial is a result, not an error.
  ///
  /// - Parameters:
  ///   - level: While connected, or also for durable registrations. A higher level may be requested at any time.
  ///   - precision: How precisely to know the position.
  ///   - force: Whether to ask again after a person answered no. Without it that answer stands.
  /// - Throws: `.failed` with the code `limitExceeded` if a person was asked too often lately.
  public func requestAuthorization(
    level: AuthorizationLevel = .whenInUse, precision: Precision = .precise,
    force: Bool = false
  ) async throws(PositionError) -> Authorization {
    // Repeated on a new connection: a prompt of the old connection ended with it.
    try await self.read(
      AuthorizationRequestRequest(AuthorizationRequest(level: level, precision: precision, isForced: force)),
      within: Self.answerTime + Self.connectionTimeout)
  }

  /// This program's authorization at first and whenever it changes, and each prompt to a person about it.
  ///
  /// After a lost connection it is requested again, and delivered if it has changed.
  public nonisolated func authorizationChanges() -> Updates<AuthorizationUpdate> {
    Updates { () async throws(PositionError) in
      let mailbox = Mailbox<AuthorizationUpdate>(capacity: 64) { oldest, next in next.passOver(oldest) }
      return await self.subscribe(into: mailbox) { _, _ in AuthorizationSubscriber(to: UpdateSink(mailbox)) }
    }
  }

  /// Makes this program an agent, which the daemon asks whether other programs may know the position, until the task is
  /// cancelled or the client closed.
  ///
  /// Prompts of several programs are answered concurrently. A prompt that needs no answer any more, because another
  /// agent answered first, its time is over or the connection is lost, cancels the task that works on it.
  ///
  /// - Parameter decide: Asks the person. If it throws, the daemon asks the next agent.
  /// - Throws: `.notPermitted` if no rule lets this program be an agent; `.cancelled` when the task was cancelled.
  public func answerPrompts(
    _ decide: @escaping @Sendable (PermissionPrompt) async throws -> PromptAnswer
  ) async throws(PositionError) {
    let mailbox = Mailbox<PromptQuestion>(capacity: .max) { _, _ in }
    let ticket = self.takePrompts(into: mailbox)
    let end: Result<Void, PositionError> = await withDiscardingTaskGroup { group in
      defer {
        // Left first, so that no further prompt arrives here.
        self.leave(ticket: ticket)
        group.cancelAll()
      }
      do throws(PositionError) {
        while let question = try await mailbox.next() {
          group.addTask { await self.answer(question, decide) }
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try end.get()
    if Task.isCancelled { throw .cancelled }
  }

  @concurrent
  private nonisolated func answer(
    _ question: PromptQuestion, _ decide: @escaping @Sendable (PermissionPrompt) async throws -> PromptAnswer
  ) async {
    let deciding = Task { try await decide(question.prompt) }
    question.whenWithdrawn { deciding.cancel() }
    let outcome = await withTaskCancellationHandler {
      await deciding.result
    } onCancel: {
      deciding.cancel()
    }
    // An agent that was cancelled has not decided, whatever its interrupted task returned.
    await self.answer(question, Task.isCancelled ? .failure(.requestCancelled) : Result(outcome))
  }
}

extension Result<PromptAnswer, RPCError> {
  /// The answer to the daemon for an outcome of `decide`.
  fileprivate init(_ outcome: Result<PromptAnswer, any Error>) {
    switch outcome {
    case .success(let answer): self = .success(answer)
    case .failure(let error as RPCError): self = .failure(error)
    case .failure(is CancellationError): self = .failure(.requestCancelled)
    case .failure(let error): self = .failure(.internalError("the agent could not ask: \(error)"))
    }
  }
}

/// A prompt of the daemon, from its arrival until it is answered or withdrawn.
package final class PromptQuestion: Sendable {
  private enum State {
    /// The closure cancels the task that works on an answer, once there is one.
    case open((@Sendable () -> Void)?)
    case withdrawn
  }

  /// The daemon's id of the prompt on the connection that brought it.
  package let id: RequestID
  /// The loop that answers it.
  let ticket: Int
  package let prompt: PermissionPrompt
  private let state = Mutex(State.open(nil))

  init(id: RequestID, ticket: Int, prompt: PermissionPrompt) {
    self.id = id
    self.ticket = ticket
    self.prompt = prompt
  }

  /// The daemon needs no answer any more.
  func withdraw() {
    let stop = self.state.withLock { state -> (@Sendable () -> Void)? in
      defer { state = .withdrawn }
      if case .open(let stop) = state { return stop }
      return nil
    }
    stop?()
  }

  /// Calls the closure once the prompt is withdrawn; at once if it already is.
  func whenWithdrawn(_ stop: @escaping @Sendable () -> Void) {
    let isWithdrawn = self.state.withLock { state in
      if case .withdrawn = state { return true }
      state = .open(stop)
      return false
    }
    if isWithdrawn { stop() }
  }
}

/// Makes this program an agent on each connection to the daemon, and takes its prompts.
package final class PromptRegistration: LiveSubscriber {
  package enum Event {
    case registered
    /// A prompt that was taken needs no answer any more.
    case withdrawn(PromptQuestion)
    case disconnected
    /// Nothing follows.
    case ended(PositionError?)
  }

  private let take: (PromptQuestion) -> Bool
  private let handler: (Event) -> Void

  /// - Parameter take: Whether the prompt is taken, and will be answered.
  package init(taking take: @escaping (PromptQuestion) -> Bool, _ handler: @escaping (Event) -> Void) {
    self.take = take
    self.handler = handler
  }

  /// Prompts are requests, and belong to the connection as a whole.
  package var recipients: [Recipient] { [] }
  package var expiry: Instant? { nil }

  package func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool {
    connection.request(AgentRegisterRequest()) { [weak self] result in
      switch result {
      case .success:
        self?.handler(.registered)
        handler(nil)
      case .failure(let error): handler(error)
      }
    }
    return true
  }

  package func takes(_ question: PromptQuestion) -> Bool { self.take(question) }
  package func withdrawn(_ question: PromptQuestion) { self.handler(.withdrawn(question)) }
  package func disconnected() { self.handler(.disconnected) }
  package func finish(_ error: PositionError?) { self.handler(.ended(error)) }

  package func sendCommands(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) {}
  package func deliver(_ notification: any AddressedNotification) -> Bool { false }
  package func end(_ reason: EndReason) {}
  package func cancel(on connection: DaemonConnection) {}
}
