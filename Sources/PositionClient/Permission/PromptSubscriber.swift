import JSONRPC
import PositionProtocol
import Positioning

/// Makes the client an agent on each new connection, and takes the daemon's prompts.
final class PromptSubscriber: LiveSubscriber {
  private let mailbox: Mailbox<PromptQuestion>

  init(mailbox: Mailbox<PromptQuestion>) {
    self.mailbox = mailbox
  }

  /// Prompts are requests, so they are addressed to the connection as a whole.
  var recipients: [Recipient] { [] }
  var expiry: Instant? { nil }

  func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool {
    connection.request(AgentRegisterRequest()) { result in
      switch result {
      case .success: handler(nil)
      case .failure(let error): handler(error)
      }
    }
    return true
  }

  func takes(_ question: PromptQuestion) -> Bool {
    self.mailbox.put(question)
    return true
  }

  func finish(_ error: PositionError?) { self.mailbox.finish(error) }

  func disconnected() {}
  func sendCommands(on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void) {}
  func deliver(_ notification: any AddressedNotification) -> Bool { false }
  func end(_ reason: EndReason) {}
  func cancel(on connection: DaemonConnection) {}
}
