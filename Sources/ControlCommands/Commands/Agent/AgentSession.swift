import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// An agent at work: prompts come, one is shown at a time, and each is answered or withdrawn.
final class AgentSession {
  /// Who answers.
  enum Answerer {
    /// The same to every prompt.
    case always(isAllowed: Bool)
    case person(TerminalDialog)
  }

  private struct Waiting {
    let id: RequestID
    let prompt: AgentAuthorizeRequest
    /// When an answer counts no more.
    let deadline: Instant
  }

  private unowned let conversation: Conversation
  private let answerer: Answerer
  private let endsAfterFirst: Bool
  /// The first one is being asked, where a person is.
  private var waiting: [Waiting] = []
  private var isEnding = false

  init(_ answerer: Answerer, endsAfterFirst: Bool, in conversation: Conversation) {
    self.answerer = answerer
    self.endsAfterFirst = endsAfterFirst
    self.conversation = conversation
  }

  func begin() {
    let connection = self.conversation.connection
    connection.onQuestion = { self.asked($0, $1) }
    connection.onWithdrawal = { self.withdrawn($0) }
    if case .person(let dialog) = self.answerer {
      dialog.onLine = { [unowned self] in self.typed($0) }
      dialog.onEnd = { [unowned self] in self.conversation.finish(.success) }
      self.conversation.onFinish = { dialog.end() }
    }
    connection.request(AgentRegisterRequest()) { result in
      switch result {
      case .success:
        if case .person(let dialog) = self.answerer { dialog.show(["Waiting for programs that ask; Ctrl-C ends."]) }
      case .failure(let error): self.conversation.fail(error)
      }
    }
  }

  // MARK: Prompts

  private func asked(_ id: RequestID, _ request: any RequestType) {
    guard let prompt = request as? AgentAuthorizeRequest else {
      return self.conversation.connection.answer(id, .failure(.methodNotFound(type(of: request).method)))
    }
    let deadline = self.conversation.loop.now + .seconds(prompt.expiresIn)
    self.waiting.append(Waiting(id: id, prompt: prompt, deadline: deadline))
    switch self.answerer {
    case .always(let isAllowed): self.answer(PromptAnswer(isAllowed, to: prompt))
    case .person(let dialog): if self.waiting.count == 1 { self.show(on: dialog) }
    }
  }

  private func withdrawn(_ id: RequestID) {
    guard let place = self.waiting.firstIndex(where: { $0.id == id }) else { return }
    self.waiting.remove(at: place)
    // One that was not shown yet goes as it came.
    guard place == 0, case .person(let dialog) = self.answerer else { return }
    dialog.show(["", "-- withdrawn: it was answered elsewhere, or its time is over"])
    self.show(on: dialog)
  }

  private func show(on dialog: TerminalDialog) {
    guard let current = self.waiting.first else { return }
    dialog.discardTyped()
    dialog.show(PromptFormat.lines(current.prompt), asking: self.choices(current))
  }

  private func choices(_ current: Waiting) -> String {
    PromptFormat.choices(current.prompt, left: max(0, (current.deadline - self.conversation.loop.now).seconds))
  }

  // MARK: Answers

  private func typed(_ line: String) {
    guard case .person(let dialog) = self.answerer, let current = self.waiting.first, !self.isEnding else { return }
    do throws(PromptAnswer.Unclear) {
      let answer = try PromptAnswer(reading: line, to: current.prompt)
      self.answer(answer)
      self.show(on: dialog)
    } catch {
      dialog.show([error.words], asking: self.choices(current))
    }
  }

  private func answer(_ answer: PromptAnswer) {
    guard !self.isEnding else { return }
    let answered = self.waiting.removeFirst()
    self.conversation.connection.answer(answered.id, .success(answer.result))
    let record = AnsweredPrompt(answered.prompt, answer)
    self.conversation.print(record, human: [PromptFormat.line(record)])
    if self.endsAfterFirst { self.end() }
  }

  /// Ends once the daemon has taken the answer: what it is asked after that comes after that.
  private func end() {
    self.isEnding = true
    self.waiting = []
    self.conversation.connection.request(AuthorizationGetRequest()) { _ in self.conversation.finish(.success) }
  }
}
