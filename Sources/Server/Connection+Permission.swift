import Broker
import JSONRPC
import PositionProtocol

/// What may be sent to the client, and the prompts for an agent.
extension Connection {
  /// From now on the client gets no more than this.
  ///
  /// Waiting messages that reveal more are removed: a notification is dropped, a reply is replaced by the denial. A
  /// message that is partly written is finished, since the stream would be broken otherwise.
  func clear(_ limit: SensitivityLimit, denial: RPCError) {
    self.limit = limit
    if self.isOpen { self.server.heard(self) }
    self.session.withhold(above: limit.level, denial)
    self.queue.purge { $0.remainder(under: limit, denial: denial) }
    self.keepWithinLimits()
  }

  /// - Returns: Whether the agent was asked; `false` if it cannot answer, or has too many open prompts.
  func ask(_ prompt: Prompt) -> Bool {
    guard self.isOpen, !self.prompts.isFull, let request = self.session.ask(AgentAuthorizeRequest(prompt.question))
    else {
      return false
    }
    self.prompts.asked(prompt.id, as: request.id)
    self.enqueue(request.bytes)
    return true
  }

  /// The agent need not answer any more. A late answer is ignored.
  func withdraw(_ prompt: PromptID) {
    guard let request = self.prompts.withdrawn(prompt) else { return }
    self.session.forget(request)
    self.notify(text: OutgoingMessage.finiteNotification(CancelRequestNotification(id: request)))
  }
}
