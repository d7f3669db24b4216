import Broker
import JSONRPC
import PositionProtocol

/// What the client may be sent, and what an agent is asked.
extension Connection {
  /// From now on the client is sent no more than this.
  ///
  /// Of what waits already, all that tells more goes: each notification, and each reply into the place of which the
  /// refusal comes. A message of which a byte was written is finished, since what follows it would be nonsense else.
  func clear(_ limit: SensitivityLimit, refusal: RPCError) {
    self.limit = limit
    if self.isOpen { self.server.heard(self) }
    self.session.withhold(above: limit.level, refusal)
    self.queue.purge { $0.remainder(under: limit, refusal: refusal) }
    self.keepWithinLimits()
  }

  /// - Returns: whether the agent was asked; if not, it cannot answer, or has too many questions to answer already.
  func ask(_ prompt: Prompt) -> Bool {
    guard self.isOpen, !self.prompts.isFull, let request = self.session.ask(AgentAuthorizeRequest(prompt)) else {
      return false
    }
    self.prompts.asked(prompt.id, as: request.id)
    self.enqueue(request.bytes)
    return true
  }

  /// The agent need not answer any more; if it does, nobody listens.
  func withdraw(_ prompt: PromptID) {
    guard let request = self.prompts.withdrawn(prompt) else { return }
    self.session.forget(request)
    self.notify(text: OutgoingMessage.finiteNotification(CancelRequestNotification(id: request)))
  }
}
