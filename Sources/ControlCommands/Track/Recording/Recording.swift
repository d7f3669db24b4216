import EventLoop
import FoundationEssentials
import Glibc
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// A recording that runs: what comes goes to the recorder, and from there to the file, now and then while it runs and as a
/// whole when it ends, however it ends. A lost connection ends a segment, and no more.
final class Recording {
  private unowned let conversation: Conversation
  private let file: RecordingFile
  private var recorder: TrackRecorder
  private var rhythm: SavingRhythm
  private var timer: LoopTimer?
  private var availability = Availability.searching
  /// Whether the file could not be written the last time, which was told.
  private var isStuck = false
  private var isOver = false

  init(_ file: RecordingFile, _ recorder: TrackRecorder, in conversation: Conversation) {
    self.conversation = conversation
    self.file = file
    self.rhythm = file.rhythm
    self.recorder = recorder
  }

  /// Asks for the fixes, and sees to it that whatever ends the conversation ends the recording first.
  func begin(_ request: PositionSubscribeRequest) {
    do throws(SystemError) {
      self.timer = try self.conversation.loop.timer(accuracy: .milliseconds(100)) { [unowned self] in self.save() }
    } catch {
      self.conversation.context.tell("\(error)")
      return self.conversation.finish(.failure)
    }
    // These hold it.
    self.conversation.onFinish = { self.finish() }
    self.conversation.onSignal = { _ in self.end() }
    let missed = "the track in between is missing; a new segment begins"
    self.conversation.follow(request, missed: missed) { self.happened($0) }
    // No oftener than the fixes, so that it asks no more of the receiver. Without it the file tells no HDOP.
    self.conversation.follow(beside: SkySubscribeRequest(minInterval: request.minInterval)) { notification in
      guard let update = notification as? SkyUpdateNotification else { return }
      self.recorder.saw(update.sky, now: self.conversation.loop.now.sinceBoot.seconds)
    }
  }

  private func happened(_ event: Followed<PositionSubscribeRequest>) {
    switch event {
    case .begun(let subscription), .reconnected(let subscription):
      self.availability = subscription.availability
      self.draw()
    case .told(let update as PositionUpdateNotification): self.updated(update)
    case .disconnected, .suspended:
      self.recorder.lost()
      // What follows is told on a line of its own.
      self.draw(over: true)
    case .stopped(let reason): self.ended(reason)
    case .over(nil): self.end()
    case .told, .over: break
    }
  }

  private func updated(_ update: PositionUpdateNotification) {
    self.availability = update.availability
    if update.reason == .lost { self.recorder.lost() }
    if let fix = update.fix { self.fixed(fix) }
    guard !self.isOver else { return }
    if self.recorder.isFull {
      self.draw(over: true)
      self.conversation.context.tell("the file is full: \(TrackRecorder.capacity) fixes")
      return self.end()
    }
    self.draw()
  }

  private func fixed(_ fix: FixObject) {
    let before = self.recorder.count
    self.recorder.fixed(fix)
    guard self.recorder.count > before else { return }
    if self.rhythm.fixed(now: self.conversation.loop.now) { self.save() } else { self.arm() }
  }

  private func ended(_ reason: EndReason) {
    if reason == .expired { return self.end() }
    self.conversation.finish(.failure)
    self.conversation.context.tell("positiond ended it: \(reason.rawValue)")
  }

  // MARK: The file

  /// When the machine booted by its own clock, in seconds since 1970.
  private var boot: Double { Date().timeIntervalSince1970 - EventLoop.readClock().sinceBoot.seconds }

  private func arm() {
    if let due = self.rhythm.due { self.timer?.arm(at: due) }
  }

  /// Puts into the file what was recorded since the last time.
  private func save() {
    let now = self.conversation.loop.now
    do throws(SystemError) {
      try self.file.save(self.recorder, boot: self.boot, now: now)
      self.rhythm.saved()
      if self.isStuck { self.tell("\(self.file.path) can be written again") }
      self.isStuck = false
    } catch {
      self.rhythm.failed(now: now)
      if error.code == EEXIST { return self.taken(error) }
      if !self.isStuck { self.tell("cannot \(error); the recording is kept in memory; trying again") }
      self.isStuck = true
    }
    self.arm()
  }

  /// Another file has the name, as none did when it began.
  private func taken(_ error: SystemError) {
    guard !self.file.isPlaced else { return self.arm() }
    self.isOver = true
    self.tell("cannot \(error)")
    self.conversation.finish(.failure)
  }

  private func tell(_ words: String) {
    self.draw(over: true)
    self.conversation.context.tell(words)
  }

  /// Ends it as its user wants it to end.
  private func end() {
    let outcome = self.finish()
    if outcome == .timedOut {
      self.conversation.context.tell(
        "no fix came, so no file was written; run \"positionctl doctor\" to find the cause")
    }
    self.conversation.finish(outcome)
  }

  /// Writes the whole file, once; without a fix there is none.
  @discardableResult
  private func finish() -> ExitCode {
    guard !self.isOver else { return .success }
    self.isOver = true
    self.timer = nil
    self.draw(over: true)
    let context = self.conversation.context
    guard let track = RecordedTrack(self.recorder, boot: self.boot) else { return .timedOut }
    do throws(SystemError) {
      try self.file.write(track, now: self.conversation.loop.now)
    } catch {
      let rest = self.file.isPlaced ? "the file has what was saved before" : "the recording is lost"
      context.tell("cannot \(error); \(rest)")
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
