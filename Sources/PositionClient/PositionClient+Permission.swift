import JSONRPC
public import PositionProtocol

extension PositionClient {
  /// How long a person has to answer a prompt.
  static let answerTime = Duration.seconds(120)

  /// What this program may know: whether and when, how precisely, and who decided that.
  ///
  /// Where there is no connection it waits for one, but no longer than ten seconds.
  public func authorization() async throws(PositionError) -> AuthorizationObject {
    try await self.read(AuthorizationGetRequest())
  }

  /// Asks for permission, and tells what there is then.
  ///
  /// A person is asked where no rule decides and an agent is there, and has two minutes to answer; else it is answered at
  /// once with what there is. That nothing is granted is a result, not an error.
  ///
  /// - Parameters:
  ///   - level: While connected, or also for what outlives the connection. More than before may be asked for at any time.
  ///   - precision: How precisely to know the position.
  ///   - force: Whether to ask again after a person's no. Without it that is left as it is.
  /// - Throws: `.failed` with the code `limitExceeded` where a person was asked too often lately.
  public func requestAuthorization(
    level: AuthorizationObject.Level = .whenInUse, precision: AuthorizationObject.Precision = .precise,
    force: Bool = false
  ) async throws(PositionError) -> AuthorizationObject {
    // Asked again on a new connection: whoever was asked before was asked by a daemon that is gone.
    try await self.read(
      AuthorizationRequestRequest(level: level, precision: precision, force: force),
      within: Self.answerTime + Self.patience)
  }

  /// What this program may know, at first and whenever that changes; and that a person is being asked.
  ///
  /// When a connection was lost it is asked for anew, and told if it is something else than before.
  public nonisolated func authorizationChanges() -> Updates<AuthorizationUpdate> {
    Updates { () async throws(PositionError) in
      let mailbox = Mailbox<AuthorizationUpdate>(capacity: 64) { oldest, next in next.passOver(oldest) }
      return await self.subscribe(into: mailbox) { _, _ in AuthorizationSubscriber(mailbox: mailbox) }
    }
  }

  /// Makes this program an agent: it is asked whether other programs may know the position, until the task is cancelled
  /// or the client closed.
  ///
  /// Prompts of several programs are answered side by side. A prompt that needs no answer any more, because another agent
  /// was faster, its time is over or the connection is lost, cancels the task that works on it.
  ///
  /// - Parameter decide: Asks the person. Where it throws, the daemon asks the next agent.
  /// - Throws: `.notPermitted` where no rule lets this program be an agent; `.cancelled` when the task was cancelled.
  public func answerPrompts(
    _ decide: @escaping @Sendable (PermissionPrompt) async throws -> PromptDecision
  ) async throws(PositionError) {
    let mailbox = Mailbox<PromptQuestion>(capacity: .max) { _, _ in }
    let ticket = self.takePrompts(into: mailbox)
    let end: Result<Void, PositionError> = await withDiscardingTaskGroup { group in
      defer {
        // First, so that no prompt comes that nobody takes.
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
    _ question: PromptQuestion, _ decide: @escaping @Sendable (PermissionPrompt) async throws -> PromptDecision
  ) async {
    let deciding = Task { try await decide(question.prompt) }
    question.whenWithdrawn { deciding.cancel() }
    let outcome = await withTaskCancellationHandler {
      await deciding.result
    } onCancel: {
      deciding.cancel()
    }
    // The agent that ends has not decided, whatever comes of the work that its end cut short.
    await self.answer(question, Task.isCancelled ? .failure(.requestCancelled) : Result(outcome))
  }
}

extension Result<AgentAuthorizeRequest.Result, RPCError> {
  /// What the daemon is told of what came of asking a person.
  fileprivate init(_ outcome: Result<PromptDecision, any Error>) {
    switch outcome {
    case .success(let decision): self = .success(AgentAuthorizeRequest.Result(decision))
    case .failure(let error as RPCError): self = .failure(error)
    case .failure(is CancellationError): self = .failure(.requestCancelled)
    case .failure(let error): self = .failure(.internalError("the agent could not ask: \(error)"))
    }
  }
}
