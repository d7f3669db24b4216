import EventLoop
import Glibc
import JSONRPC
import PositionProtocol
import Positioning

/// Draws the model of a session on a screen: once each interval, and at once after a key.
final class ScreenMonitor {
  private unowned let conversation: Conversation
  private let screen: TerminalScreen
  private let session: MonitorSession
  private let interval: Duration
  private var display = MonitorDisplay()
  /// What a frozen screen shows.
  private var frozen: (model: MonitorModel, moment: CodingMoment)?
  private var timer: LoopTimer?
  private var watches: [ProcessWatch] = []

  init(_ screen: TerminalScreen, _ session: MonitorSession, interval: Duration, in conversation: Conversation) {
    self.screen = screen
    self.session = session
    self.interval = interval
    self.conversation = conversation
  }

  /// The end of the conversation releases this.
  func begin() {
    self.display.format = self.conversation.context.format
    self.conversation.onFinish = { self.end() }
    self.timer = self.conversation.timer { [unowned self] in self.tick() }
    do throws(SystemError) {
      try self.screen.onKey(on: self.conversation.loop) { [unowned self] in self.typed($0) }
      try self.watchSignals()
    } catch {
      self.conversation.finish(.failure)
      return self.conversation.context.report("\(error)")
    }
    self.session.begin()
    self.tick()
  }

  private func watchSignals() throws(SystemError) {
    let loop = self.conversation.loop
    self.watches = [
      try loop.onSignal(SIGWINCH) { [unowned self] in self.resized() },
      try loop.onSignal(SIGTSTP) { [unowned self] in self.stopped() },
      try loop.onSignal(SIGCONT) { [unowned self] in self.continued() },
    ]
  }

  private func end() {
    self.timer = nil
    self.watches.forEach { $0.cancel() }
    self.session.end()
    self.screen.end()
  }

  // MARK: Drawing

  private func tick() {
    self.draw()
    self.timer?.arm(at: self.conversation.loop.now + self.interval)
  }

  private func draw() {
    let (rows, columns) = self.screen.size
    let layout = MonitorLayout(width: columns, height: rows, glyphs: self.screen.glyphs)
    let shown = self.frozen ?? (self.session.model, self.conversation.context.moment)
    self.screen.paint(layout.lines(shown.model, self.display, at: shown.moment))
  }

  // MARK: The person

  /// - Parameter key: `nil`: nothing can be typed any more.
  private func typed(_ key: Character?) {
    guard let key else { return self.conversation.finish(.hungUp) }
    switch self.display.typed(key) {
    case .none: break
    case .quit: self.conversation.finish(.success)
    case .redraw:
      if !self.display.isFrozen { self.frozen = nil }
      if self.display.isFrozen, self.frozen == nil {
        self.frozen = (self.session.model, self.conversation.context.moment)
      }
      self.draw()
    }
  }

  private func resized() {
    self.screen.resize()
    self.draw()
  }

  private func stopped() {
    self.screen.stop()
    self.draw()
  }

  private func continued() {
    self.screen.takeAgain()
    self.draw()
  }
}
