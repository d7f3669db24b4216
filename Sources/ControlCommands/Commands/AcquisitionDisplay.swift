import EventLoop
import JSONRPC
import Notations
import PositionClient
import PositionProtocol
import Positioning
import Printable

/// The progress line on a terminal during a one-shot.
///
/// It uses passive subscriptions to the sky and to positions, which do not turn the receiver on. They begin after a
/// moment, so that an answer from the cache costs nothing.
final class AcquisitionDisplay {
  private static let delay = Duration.milliseconds(300)

  private unowned let conversation: Conversation
  private let deadline: Instant?
  private var line = AcquisitionLine()
  private var timer: LoopTimer?
  private var isSubscribed = false

  /// `nil` if there is no terminal.
  ///
  /// - Parameter timeout: Seconds; 0 is none.
  init?(timeout: Double, in conversation: Conversation) {
    guard conversation.context.process.canRedrawErrors else { return nil }
    self.conversation = conversation
    self.deadline = timeout > 0 ? conversation.loop.now + .bounded(seconds: timeout) : nil
    do throws(SystemError) {
      let timer = try conversation.loop.timer(accuracy: .milliseconds(50)) { [unowned self] in self.tick() }
      timer.arm(at: conversation.loop.now + AcquisitionDisplay.delay)
      self.timer = timer
    } catch {
      return nil  // Without a timer nothing is shown; the request continues.
    }
    conversation.onFinish = { [weak self] in self?.end() }
  }

  /// Clears the line; nothing is drawn after it.
  func end() {
    guard let timer = self.timer else { return }
    timer.cancel()
    self.timer = nil
    if self.isSubscribed { self.draw("") }
  }

  private func tick() {
    self.subscribe()
    self.draw()
    self.timer?.arm(at: self.conversation.loop.now + .seconds(1))
  }

  private func subscribe() {
    guard !self.isSubscribed else { return }
    self.isSubscribed = true
    // Without permission nothing is shown; the request itself reports why.
    self.conversation.follow(beside: SkySubscribeRequest(isPassive: true)) { [weak self] in self?.notified($0) }
    var passive = SubscriptionChange()
    passive.mode = .passive
    self.conversation.follow(beside: PositionSubscribeRequest(passive)) { [weak self] in
      self?.notified($0)
    }
  }

  private func notified(_ notification: any AddressedNotification) {
    switch notification {
    case let update as SkyUpdateNotification: self.line.saw(update.sky)
    case let notification as PositionUpdateNotification: self.line.saw(notification.update)
    default: return
    }
    self.draw()
  }

  private func draw() {
    guard self.timer != nil else { return }
    let context = self.conversation.context
    self.line.remaining = self.deadline.map { ($0 - self.conversation.loop.now).seconds }
    self.draw(self.line.text(columns: context.process.errorColumns, in: context.format))
  }

  private func draw(_ text: String) { self.conversation.context.process.redraw(text) }
}

/// The progress line during a one-shot.
struct AcquisitionLine: Hashable {
  var satellitesSeen: Int?
  var satellitesUsed: Int?
  /// The accuracy of the newest fix so far, in metres.
  var accuracy: Double?
  /// Seconds until the timeout; `nil` if there is none.
  var remaining: Double?

  mutating func saw(_ sky: Sky?) {
    guard let sky else { return }
    self.satellitesSeen = sky.satellites.count
    self.satellitesUsed = sky.satellitesUsed
  }

  mutating func saw(_ update: PositionUpdate) {
    // Not its number of satellites, which is of another moment than the sky.
    if let fix = update.fix { self.accuracy = fix.horizontalAccuracy }
  }

  /// At most as long as the terminal is wide, so that it can be redrawn.
  func text(columns: Int, in format: PositionFormat = PositionFormat()) -> String {
    var parts: [String] = []
    if let seen = self.satellitesSeen {
      parts.append("\(seen.counted("satellite", "satellites")) seen, \(self.satellitesUsed ?? 0) used")
    } else {
      parts.append("waiting for the receiver")
    }
    if let accuracy = self.accuracy { parts.append("\(format.accuracy(accuracy)) so far") }
    if let remaining = self.remaining { parts.append("\(max(0, remaining).fixed(0)) s left") }
    return String(parts.joined(separator: "; ").prefix(max(0, columns - 1)))
  }
}
