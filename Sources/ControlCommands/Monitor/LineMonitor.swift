import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// Prints the present state and then a line for each change, for pipes and programs.
final class LineMonitor {
  private unowned let conversation: Conversation
  private var model: MonitorModel
  private var left: Int?

  /// - Parameter count: The lines after which it ends; `nil`: it does not.
  init(keepsOn: Bool, count: Int?, in conversation: Conversation) {
    self.conversation = conversation
    self.model = MonitorModel(keepsOn: keepsOn)
    self.left = count
  }

  /// The subscription keeps this alive.
  func begin() {
    self.conversation.follow(StatusSubscribeRequest(), missed: "changes in between were missed") { event in
      switch event {
      case .notified(let update as StatusUpdateNotification): self.updated(update)
      case .stopped(let reason): self.conversation.fail(reason)
      case .over(nil): self.conversation.finish(.success)
      case .begun, .notified, .disconnected, .suspended, .reconnected, .over: break
      }
    }
    if self.model.keepsOn { self.conversation.follow(beside: MonitorSession.keepingOn) { _ in } }
  }

  private func updated(_ update: StatusUpdateNotification) {
    let context = self.conversation.context
    let events = self.model.received(update.status, at: context.moment)
    if context.wantsJSON { return self.print { self.conversation.print(update, human: []) } }
    for event in events {
      self.print {
        self.conversation.print(
          update, drawn: [Line("\(event.time) ") + Line(event.change.text, event.change.emphasis)])
      }
    }
  }

  private func print(_ line: () -> Void) {
    guard !self.conversation.isFinished else { return }
    line()
    self.left = self.left.map { $0 - 1 }
    if self.left == 0 { self.conversation.finish(.success) }
  }
}
