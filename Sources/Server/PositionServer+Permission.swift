package import Broker
import EventLoop
import FoundationEssentials
import JSONRPC
import PositionProtocol
import Positioning

/// What clients may be sent, and what agents are asked and say.
extension PositionServer {
  /// From now on the client is sent no more than this, and nothing of what waits for it and tells more, even while it is
  /// being closed.
  package func clear(_ client: ClientID, _ limit: SensitivityLimit) {
    guard let connection = self.connections[client] ?? self.leaving[client] else { return }
    connection.clear(limit, refusal: RPCError(limit.refusal, in: self.context(for: connection)))
  }

  /// Puts the question to an agent. One that cannot be asked has answered nothing.
  package func ask(_ client: ClientID, _ prompt: Prompt) {
    // The broker knows already of one that has left.
    guard let connection = self.connections[client] else { return }
    if !connection.ask(prompt) { self.tell(.promptAnswered(prompt.id, by: client, nil)) }
  }

  /// Tells the agent that it need not answer.
  package func withdraw(_ client: ClientID, _ prompt: PromptID) { self.connections[client]?.withdraw(prompt) }

  /// An agent has answered a request of ours.
  func answered(_ request: RequestID, _ result: Result<any Sendable, RPCError>, by connection: Connection) {
    guard let prompt = connection.prompts.answered(request) else { return }
    let answer: PromptAnswer? =
      if case .success(let value as AgentAuthorizeRequest.Result) = result { PromptAnswer(value) } else { nil }
    self.tell(.promptAnswered(prompt, by: connection.client, answer))
  }

  /// A client has answered what it was not asked, or not any more.
  func strayAnswer(of connection: Connection) {
    guard let count = self.strayAnswers.happened(now: self.loop.now) else { return }
    self.log(
      .debug,
      "a client of user \(connection.principal.uid) answered what it was not asked; such answers since that was told: "
        + "\(count)")
  }
}
