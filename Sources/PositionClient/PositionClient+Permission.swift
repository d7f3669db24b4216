import JSONRPC
import PositionProtocol
public import Positioning

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
      within: Self.answerTime + Self.patience)
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
