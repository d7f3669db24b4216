import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// Makes this program an agent on each connection to positiond, and takes its prompts.
final class PromptRegistration: LiveSubscriber {
  enum Event {
    case registered
    case asked(PromptQuestion)
    case withdrawn(PromptQuestion)
    case disconnected
    /// Nothing follows.
    case ended(PositionError?)
  }

  private let handler: (Event) -> Void

  init(_ handler: @escaping (Event) -> Void) { self.handler = handler }

  /// Prompts are requests, and belong to the connection as a whole.
  var recipients: [Recipient] { [] }
  var expiry: Instant? { nil }

  func subscribe(
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

  func takes(_ question: PromptQuestion) -> Bool {
    self.handler(.asked(question))
    return true
  }

  func withdrawn(_ question: PromptQuestion) { self.handler(.withdrawn(question)) }
  func disconnected() { self.handler(.disconnected) }
  func finish(_ error: PositionError?) { self.handler(.ended(error)) }

  func sendCommands(on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void) {}
  func deliver(_ notification: any AddressedNotification) -> Bool { false }
  func end(_ reason: EndReason) {}
  func cancel(on connection: DaemonConnection) {}
}
