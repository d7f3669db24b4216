import EventLoop
import FoundationEssentials
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// A recording that runs: what comes goes to the recorder, and the file is written when it ends, however it ends.
final class Recording {
  private unowned let conversation: Conversation
  private let file: TrackFile
  private var recorder: TrackRecorder
  private var availability = Availability.searching
  private var subscription: Int?
  private var isOver = false

  init(_ file: TrackFile, _ recorder: TrackRecorder, in conversation: Conversation) {
    self.conversation = conversation
    self.file = file
    self.recorder = recorder
  }

  /// Asks for the fixes, and sees to it that whatever ends the conversation ends the recording first.
  func begin(_ request: PositionSubscribeRequest) {
    self.conversation.connection.onNotification = { [unowned self] in self.notified($0) }
    // These two hold it, and so does what waits for the answer.
    self.conversation.onFinish = { self.save() }
    self.conversation.onSignal = { _ in self.end() }
    self.conversation.connection.request(request) { result in
      switch result {
      case .success(let subscription):
        self.subscription = subscription.subscription
        self.availability = subscription.availability
        self.draw()
      case .failure(let error): self.conversation.fail(error)
      }
    }
    // No oftener than the fixes, so that it asks no more of the receiver. Without it the file tells no HDOP.
    self.conversation.connection.request(SkySubscribeRequest(minInterval: request.minInterval)) { _ in }
  }

  private func notified(_ notification: any NotificationType) {
    switch notification {
    case let update as PositionUpdateNotification:
      self.availability = update.availability
      if update.reason == .lost { self.recorder.lost() }
      if let fix = update.fix { self.recorder.fixed(fix) }
      if self.recorder.isFull {
        self.draw(over: true)
        self.conversation.context.tell("the file is full: \(TrackRecorder.capacity) fixes")
        return self.end()
      }
      self.draw()
    case let update as SkyUpdateNotification:
      self.recorder.saw(update.sky, now: self.conversation.loop.now.sinceBoot.seconds)
    case let end as SubscriptionEndedNotification where end.subscription == self.subscription:
      self.ended(end.reason)
    default: self.conversation.announced(notification)
    }
  }

  private func ended(_ reason: EndReason) {
    if reason == .expired { return self.end() }
    self.conversation.finish(.failure)
    self.conversation.context.tell("the daemon ended it: \(reason.rawValue)")
  }

  /// Ends it as its user wants it to end.
  private func end() {
    let outcome = self.save()
    if outcome == .timedOut {
      self.conversation.context.tell(
        "no fix came, and no file was written; \"positionctl doctor\" looks for the cause")
    }
    self.conversation.finish(outcome)
  }

  /// Writes the file, once; without a fix there is none.
  @discardableResult
  private func save() -> ExitCode {
    guard !self.isOver else { return .success }
    self.isOver = true
    self.draw(over: true)
    let context = self.conversation.context
    let boot = Date().timeIntervalSince1970 - EventLoop.readClock().sinceBoot.seconds
    guard let track = RecordedTrack(self.recorder, boot: boot) else { return .timedOut }
    do throws(SystemError) {
      try self.file.write(track)
    } catch {
      context.tell("cannot \(error); the recording is lost")
      return .failure
    }
    context.print(
      TrackReport(file: self.file.path, track),
      human: ["\(self.file.path): \(track.summary)"])
    return .success
  }

  /// - Parameter over: Whether the line is to go.
  private func draw(over: Bool = false) {
    let surroundings = self.conversation.context.surroundings
    guard surroundings.canRedrawErrors else { return }
    let line =
      over
      ? "" : TrackLine.text(self.recorder, availability: self.availability, columns: surroundings.errors.columns)
    surroundings.redraw(line)
  }
}

/// What `positionctl track --json` prints.
private struct TrackReport: Encodable {
  let file: String
  let fixes: Int
  let segments: Int
  /// Metres.
  let distance: Double
  /// Seconds.
  let duration: Double
  let start: Timestamp
  let end: Timestamp

  init(file: String, _ track: RecordedTrack) {
    self.file = file
    self.fixes = track.count
    self.segments = track.segments.count
    self.distance = (track.length * 10).rounded() / 10
    self.duration = (track.duration * 1000).rounded() / 1000
    self.start = Timestamp(track.start)
    self.end = Timestamp(track.end)
  }
}
