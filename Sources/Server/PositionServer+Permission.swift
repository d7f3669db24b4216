package import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// What clients may be sent, and the prompts of agents.
extension PositionServer {
  /// From now on the client gets no more than this, and nothing from its queue that reveals more, even while it is
  /// being closed.
  package func clear(_ client: ClientID, _ limit: SensitivityLimit) {
    guard let connection = self.connections[client] ?? self.leaving[client] else { return }
    connection.clear(limit, denial: RPCError(limit.denial, in: self.context(for: connection)))
  }

  /// Sends the prompt to an agent. If it cannot be sent, that is reported as no answer.
  package func ask(_ client: ClientID, _ prompt: Prompt) {
    // The broker knows already that this one has left.
    guard let connection = self.connections[client] else { return }
    if !connection.ask(prompt) { self.report(.promptAnswered(prompt.id, by: client, nil)) }
  }

  /// Withdraws the prompt: the agent need not answer.
  package func withdraw(_ client: ClientID, _ prompt: PromptID) { self.connections[client]?.withdraw(prompt) }

  /// An agent has answered a prompt.
  func answered(_ request: RequestID, _ result: Result<any Sendable, RPCError>, by connection: RPCConnection) {
    guard let prompt = connection.prompts.answered(request) else { return }
    let answer: PromptAnswer? =
      if case .success(let value as PromptAnswer) = result { value } else { nil }
    self.report(.promptAnswered(prompt, by: connection.client, answer))
  }

  /// A client has answered a request that it was not sent, or that was withdrawn.
  func strayAnswer(of connection: Connection) {
    guard let count = self.strayAnswers.happened(now: self.loop.now) else { return }
    self.log(
      .answerUnasked,
      "a client of user \(connection.principal.uid, .user) answered what it was not asked; "
        + "such answers since the last report: \(count)")
  }
}
