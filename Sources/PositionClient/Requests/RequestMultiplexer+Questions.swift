package import JSONRPC
import PositionProtocol
package import Positioning

/// Requests of the daemon: each goes to the loop that answers its kind, and is answered once.
extension RequestMultiplexer {
  /// The daemon has no more than this many prompts open with one agent.
  static let maximumQuestions = 64

  func asked(_ id: RequestID, _ request: any RequestType) {
    if let request = request as? AgentAuthorizeRequest {
      guard self.questions.count < Self.maximumQuestions else {
        let error = RPCError(code: .limitExceeded, message: "this agent has \(Self.maximumQuestions) open questions")
        self.connection?.answer(id, .failure(error))
        return
      }
      // The oldest loop answers; to the daemon all of them are one agent.
      for (ticket, subscriber) in self.subscribers.sorted(by: { $0.key < $1.key }) {
        let question = PromptQuestion(id: id, ticket: ticket, prompt: request.prompt)
        // Stored first, because the loop may answer at once.
        self.questions[id] = question
        if subscriber.takes(question) { return }
        self.questions[id] = nil
      }
    }
    // Nobody answers this kind any more: with the error the daemon asks another agent at once.
    self.connection?.answer(id, .failure(.methodNotFound(type(of: request).method)))
  }

  /// Answers a prompt; one that is not open any more is ignored.
  package func answer(_ question: PromptQuestion, _ result: Result<PromptAnswer, RPCError>) {
    guard self.questions[question.id] === question else { return }
    self.questions[question.id] = nil
    self.connection?.answer(question.id, result.map { AgentAuthorizeRequest.finite($0) })
  }

  /// The daemon needs no answer any more.
  func withdrawn(_ id: RequestID) {
    if let question = self.questions.removeValue(forKey: id) { self.withdraw(question) }
  }

  /// The loop that would answer these has been left.
  func leaveQuestions(of ticket: Int) {
    for (_, question) in self.questions where question.ticket == ticket {
      self.answer(question, .failure(.requestCancelled))
      question.withdraw()
    }
  }

  /// The connection is lost, so nobody waits for the answers.
  func dropQuestions() {
    let questions = self.questions
    self.questions = [:]
    for question in questions.values { self.withdraw(question) }
  }

  private func withdraw(_ question: PromptQuestion) {
    question.withdraw()
    self.subscribers[question.ticket]?.withdrawn(question)
  }
}
