import JSONRPC
import PositionProtocol
package import Positioning

/// Makes this program an agent on each connection to the daemon, and takes its prompts.
package final class PromptRegistration: LiveSubscriber {
  package enum Event {
    case registered
    /// A prompt that was taken needs no answer any more.
    case withdrawn(PromptQuestion)
    case disconnected
    /// Nothing follows.
    case ended(PositionError?)
  }

  private let take: (PromptQuestion) -> Bool
  private let handler: (Event) -> Void

  /// - Parameter take: Whether the prompt is taken, and will be answered.
  package init(taking take: @escaping (PromptQuestion) -> Bool, _ handler: @escaping (Event) -> Void) {
    self.take = take
    self.handler = handler
  }

  /// Prompts are requests, and belong to the connection as a whole.
  package var recipients: [Recipient] { [] }
  package var expiry: Instant? { nil }

  package func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool {
    connection.request(AgentRegisterRequest()) { [weak self] result in
      switch result {
      case .success:
        self?.handler(.registered)
        handler(nil)
      case .failure(let error): handler(error)
      }
    }
    return true
  }

  package func takes(_ question: PromptQuestion) -> Bool { self.take(question) }
  package func withdrawn(_ question: PromptQuestion) { self.handler(.withdrawn(question)) }
  package func disconnected() { self.handler(.disconnected) }
  package func finish(_ error: PositionError?) { self.handler(.ended(error)) }

  package func sendCommands(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) {}
  package func deliver(_ notification: any AddressedNotification) -> Bool { false }
  package func end(_ reason: EndReason) {}
  package func cancel(on connection: DaemonConnection) {}
}
