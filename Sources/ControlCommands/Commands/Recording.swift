import EventLoop
import Glibc
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import Printable
import Track

/// A running recording: fixes go to the recorder, and from there to the file, from time to time while it runs and as a
/// whole when it ends, for whatever reason. A lost connection only ends a segment.
final class Recording {
  private unowned let conversation: Conversation
  private let file: RecordingFile
  private var recorder: TrackRecorder
  private var savingSchedule: SavingSchedule
  private var timer: LoopTimer?
  private var availability = Availability.searching
  /// Whether the last attempt to write the file failed, which was reported.
  private var isStuck = false
  private var isOver = false

  init(_ file: RecordingFile, _ recorder: TrackRecorder, in conversation: Conversation) {
    self.conversation = conversation
    self.file = file
    self.savingSchedule = file.savingSchedule
    self.recorder = recorder
  }

  /// Subscribes to fixes, and ends the recording before anything ends the conversation.
  func begin(_ request: PositionSubscribeRequest) {
    do throws(SystemError) {
      self.timer = try self.conversation.loop.timer(accuracy: .milliseconds(100)) { [unowned self] in self.save() }
    } catch {
      self.conversation.context.report("\(error)")
      return self.conversation.finish(.failure)
    }
    // The closures retain this object.
    self.conversation.onFinish = { self.finish() }
    self.conversation.onSignal = { _ in self.end() }
    let missed = "the track in between is missing; a new segment begins"
    self.conversation.follow(request, missed: missed) { self.happened($0) }
    // It is used only for the HDOP, and needs nothing of the receiver.
    self.conversation.follow(beside: SkySubscribeRequest(isPassive: true)) {
      notification in
      guard let update = notification as? SkyUpdateNotification else { return }
      self.recorder.saw(update.sky)
    }
  }

  private func happened(_ event: SubscriptionEvent<PositionSubscribeRequest>) {
    switch event {
    case .begun(let subscription), .reconnected(let subscription):
      self.availability = subscription.availability
      self.draw()
    case .notified(let notification as PositionUpdateNotification): self.updated(notification.update)
    case .disconnected, .suspended:
      self.recorder.lost()
      // The report that follows needs a line of its own.
      self.draw(over: true)
    case .stopped(let reason): self.ended(reason)
    case .over(nil): self.end()
    case .notified, .over: break
    }
  }

  private func updated(_ update: PositionUpdate) {
    self.availability = update.availability
    if update.reason == .lost { self.recorder.lost() }
    if let fix = update.fix { self.fixed(fix) }
    guard !self.isOver else { return }
    if self.recorder.isFull {
      self.draw(over: true)
      self.conversation.context.report("the file is full: \(TrackRecorder.capacity) fixes")
      return self.end()
    }
    self.draw()
  }

  private func fixed(_ fix: Fix) {
    let before = self.recorder.count
    self.recorder.fixed(fix)
    guard self.recorder.count > before else { return }
    if self.savingSchedule.fixed(now: self.conversation.loop.now) { self.save() } else { self.arm() }
  }

  private func ended(_ reason: EndReason) {
    if reason == .expired { return self.end() }
    self.conversation.finish(.failure)
    self.conversation.context.report("positiond ended it: \(reason.rawValue)")
  }

  // MARK: The file

  /// The time of the boot by the machine's clock, in seconds since 1970.
  private var boot: Double { (Clocks.system.wall() - Clocks.system.sinceBoot().sinceBoot).seconds }

  private func arm() {
    if let due = self.savingSchedule.due { self.timer?.arm(at: due) }
  }

  /// Saves the fixes that were recorded since the last time.
  private func save() {
    let now = self.conversation.loop.now
    do throws(SystemError) {
      try self.file.save(self.recorder, boot: self.boot, now: now)
      self.savingSchedule.saved()
      if self.isStuck { self.report("\(self.file.path) can be written again") }
      self.isStuck = false
    } catch {
      self.savingSchedule.failed(now: now)
      if error.code == EEXIST { return self.taken(error) }
      if !self.isStuck { self.report("cannot \(error); the recording is kept in memory; trying again") }
      self.isStuck = true
    }
    self.arm()
  }

  /// Another file was given the name since the recording began.
  private func taken(_ error: SystemError) {
    guard !self.file.isPlaced else { return self.arm() }
    self.isOver = true
    self.report("cannot \(error)")
    self.conversation.finish(.failure)
  }

  private func report(_ message: String) {
    self.draw(over: true)
    self.conversation.context.report(message)
  }

  /// Ends it at the user's request.
  private func end() {
    let outcome = self.finish()
    if outcome == .timedOut {
      self.conversation.context.report(
        "no fix came, so no file was written; run \"positionctl doctor\" to find the cause")
    }
    self.conversation.finish(outcome)
  }

  /// Writes the whole file, once; without a fix none is written.
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
      context.report("cannot \(error); \(rest)")
      return .failure
    }
    context.print(
      TrackReport(file: self.file.path, track),
      human: ["\(self.file.path): \(track.summary)"])
    return .success
  }

  /// - Parameter over: Whether to clear the line.
  private func draw(over: Bool = false) {
    let process = self.conversation.context.process
    guard process.canRedrawErrors else { return }
    let line =
      over
      ? "" : TrackLine.text(self.recorder, availability: self.availability, columns: process.errors.columns)
    process.redraw(line)
  }
}

/// What `positionctl track --json` prints.
private struct TrackReport: WireValue {
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
    self.distance = track.length
    self.duration = track.duration
    self.start = track.start
    self.end = track.end
  }

  static let codec: Codec<TrackReport> = .written { report, writer in
    writer.key("file")
    writer.string(report.file)
    writer.key("fixes")
    writer.integer(report.fixes)
    writer.key("segments")
    writer.integer(report.segments)
    writer.key("distance")
    writer.number(report.distance, decimals: 1)
    writer.key("duration")
    writer.number(report.duration, decimals: 3)
    writer.key("start")
    Timestamp.codec.write(report.start, &writer)
    writer.key("end")
    Timestamp.codec.write(report.end, &writer)
  }
}
