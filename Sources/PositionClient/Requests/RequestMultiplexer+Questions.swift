package import JSONRPC
package import PositionProtocol

/// What the daemon asks: put to the loop that answers such things, and answered once.
extension RequestMultiplexer {
  /// As many as the daemon has open with one agent.
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
        let question = PromptQuestion(id: id, ticket: ticket, request: request)
        // It may be answered at once.
        self.questions[id] = question
        if subscriber.takes(question) { return }
        self.questions[id] = nil
      }
    }
    // Nobody answers such things, or not any more: the daemon asks another agent, and waits for none.
    self.connection?.answer(id, .failure(.methodNotFound(type(of: request).method)))
  }

  /// Answers a question; one that is not open any more is left alone.
  package func answer(_ question: PromptQuestion, _ result: Result<AgentAuthorizeRequest.Result, RPCError>) {
    guard self.questions[question.id] === question else { return }
    self.questions[question.id] = nil
    self.connection?.answer(question.id, result.map { AgentAuthorizeRequest.finite($0) })
  }

  /// The daemon needs no answer any more.
  func withdrawn(_ id: RequestID) {
    if let question = self.questions.removeValue(forKey: id) { self.withdraw(question) }
  }

  /// The loop that would answer these is left.
  func leaveQuestions(of ticket: Int) {
    for (_, question) in self.questions where question.ticket == ticket {
      self.answer(question, .failure(.requestCancelled))
      question.withdraw()
    }
  }

  /// The connection is gone, and with it whoever asked.
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
