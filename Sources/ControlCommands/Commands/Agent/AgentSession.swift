import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// A running agent: it shows one prompt at a time, and each is answered or withdrawn. After a lost connection it
/// registers again.
final class AgentSession {
  /// The source of answers.
  enum Answerer {
    /// The same to every prompt.
    case always(isAllowed: Bool)
    case person(TerminalDialog)
  }

  private struct Waiting {
    let question: PromptQuestion
    /// When an answer no longer counts.
    let deadline: Instant

    var prompt: PermissionPrompt { self.question.prompt }
  }

  private unowned let conversation: Conversation
  private let answerer: Answerer
  private let endsAfterFirst: Bool
  /// If a person answers, the first one is being shown.
  private var waiting: [Waiting] = []
  private var isEnding = false
  private var isRegistered = false

  init(_ answerer: Answerer, endsAfterFirst: Bool, in conversation: Conversation) {
    self.answerer = answerer
    self.endsAfterFirst = endsAfterFirst
    self.conversation = conversation
  }

  func begin() {
    if case .person(let dialog) = self.answerer {
      dialog.onLine = { [unowned self] in self.typed($0) }
      dialog.onEnd = { [unowned self] in self.conversation.finish(.success) }
      self.conversation.onFinish = { dialog.end() }
    }
    // The registration keeps the session alive.
    self.conversation.follow { _ in PromptRegistration(taking: { self.takes($0) }) { self.happened($0) } }
  }

  // MARK: The daemon

  private func happened(_ event: PromptRegistration.Event) {
    switch event {
    case .registered: self.registered()
    case .withdrawn(let question): self.withdrawn(question)
    case .disconnected: self.conversation.lost()
    case .ended(let error): if let error { self.conversation.fail(error) }
    }
  }

  private func registered() {
    if self.isRegistered {
      self.conversation.stands("prompts in between were not shown here")
    } else if case .person(let dialog) = self.answerer {
      dialog.show(["Waiting for prompts; Ctrl-C ends."])
    }
    self.isRegistered = true
  }

  // MARK: Prompts

  private func takes(_ question: PromptQuestion) -> Bool {
    guard !self.isEnding else { return false }
    let deadline = self.conversation.loop.now + question.prompt.expiresIn
    self.waiting.append(Waiting(question: question, deadline: deadline))
    switch self.answerer {
    case .always(let isAllowed): self.answer(PromptAnswer(isAllowed, to: question.prompt))
    case .person(let dialog): if self.waiting.count == 1 { self.show(on: dialog) }
    }
    return true
  }

  private func withdrawn(_ question: PromptQuestion) {
    guard let place = self.waiting.firstIndex(where: { $0.question === question }) else { return }
    self.waiting.remove(at: place)
    // One that was not shown yet disappears silently.
    guard place == 0, case .person(let dialog) = self.answerer else { return }
    dialog.show(["", "-- withdrawn: answered elsewhere, or expired"])
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
      dialog.show([error.reason], asking: self.choices(current))
    }
  }

  private func answer(_ answer: PromptAnswer) {
    guard !self.isEnding, !self.waiting.isEmpty else { return }
    let answered = self.waiting.removeFirst()
    self.conversation.answer(answered.question, answer)
    let record = AnsweredPrompt(principal: answered.prompt.principal, answer: answer)
    self.conversation.print(record, human: [PromptFormat.line(record)])
    if self.endsAfterFirst { self.end() }
  }

  /// Ends once the daemon has read the answer: a later request is answered after that.
  private func end() {
    self.isEnding = true
    self.waiting = []
    self.conversation.request(AuthorizationGetRequest()) { _ in self.conversation.finish(.success) }
  }
}
