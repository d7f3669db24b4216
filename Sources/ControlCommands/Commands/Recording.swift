import EventLoop
import Glibc
import Notations
import PositionClient
import PositionProtocol
import Positioning
import Printable
import Track

/// How a recording is to be written.
struct RecordingPlan {
  private let output: TrackFile
  /// Where it is divided into files; `nil`: it is one.
  let split: TrackSplit?
  let wantsWaypoints: Bool
  /// Whether it replaces existing files.
  let replaces: Bool
  private let mode: mode_t?
  /// Places that each file has beside the track.
  var waypoints: [TrackWaypoint] = []

  init(file: TrackFile, split: TrackSplit?, wantsWaypoints: Bool, replaces: Bool, mode: mode_t?) {
    self.output = file
    self.split = split
    self.wantsWaypoints = wantsWaypoints
    self.replaces = replaces
    self.mode = mode
  }

  /// The file of a part, from 1 on.
  func file(_ number: Int) -> TrackFile { self.split == nil ? self.output : self.output.part(number) }

  func recording(_ number: Int) -> RecordingFile {
    RecordingFile(self.file(number), replaces: self.replaces, mode: self.mode, waypoints: self.waypoints)
  }
}

/// A running recording: fixes go to the recorder, and from there to the file, from time to time while it runs and as a
/// whole when it ends, for whatever reason. A lost connection only ends a segment. With parts, each has a file of its own.
final class Recording {
  private unowned let conversation: Conversation
  private let plan: RecordingPlan
  private var file: RecordingFile
  private var recorder: TrackRecorder
  private var savingSchedule: SavingSchedule
  private var splitter: TrackSplitter?
  /// The number in the name of the part's file.
  private var number = 1
  /// What the finished parts say together.
  private var finished: (parts: Int, figures: TrackFigures, start: Timestamp, end: Timestamp)?
  /// Whether a finished part could not be written.
  private var hasFailed = false
  private var timer: LoopTimer?
  private var availability = Availability.searching
  /// Whether the last attempt to write the file failed, which was reported.
  private var isStuck = false
  private var isOver = false

  init(_ plan: RecordingPlan, _ recorder: TrackRecorder, in conversation: Conversation) {
    let file = plan.recording(1)
    self.conversation = conversation
    self.plan = plan
    self.file = file
    self.savingSchedule = file.savingSchedule
    self.recorder = recorder
    self.splitter = plan.split.map { TrackSplitter($0) }
  }

  /// Subscribes to fixes, and ends the recording before anything ends the conversation.
  func begin(_ request: PositionSubscribeRequest) {
    guard let timer = self.conversation.timer(accuracy: .milliseconds(100), { [unowned self] in self.save() }) else {
      return
    }
    self.timer = timer
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
    let (before, segments) = (self.recorder.count, self.recorder.segments.count)
    self.recorder.fixed(fix)
    guard self.recorder.count > before, let newest = self.recorder.newest else { return }
    if self.recorder.segments.count > segments { self.splitter?.interrupted() }
    if self.splitter?.endsPart(newest, at: newest.arrival) == true { return self.beginPart() }
    if self.savingSchedule.fixed(now: self.conversation.loop.now) { self.save() } else { self.arm() }
  }

  /// Ends the part with the newest fix, with which the next one begins.
  private func beginPart() {
    self.draw(over: true)
    if self.writePart() != .success { self.hasFailed = true }
    self.recorder = self.recorder.continued()
    repeat { self.number += 1 } while !self.plan.replaces && self.plan.file(self.number).exists
    self.file = self.plan.recording(self.number)
    // Nothing is saved before the part has a fix of its own.
    self.savingSchedule = self.file.savingSchedule
    self.isStuck = false
    self.timer?.disarm()
  }

  private func ended(_ reason: EndReason) {
    if reason == .expired { self.end() } else { self.conversation.fail(reason) }
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
    let outcome = self.writePart()
    if let finished, finished.parts > 1 {
      let context = self.conversation.context
      let report = TrackReport(parts: finished.parts, finished.figures, from: finished.start, to: finished.end)
      context.print(report, drawn: report.lines(in: context.format))
    }
    return self.hasFailed ? .failure : outcome
  }

  /// Writes the whole file of the part, and says what it has.
  private func writePart() -> ExitCode {
    let context = self.conversation.context
    guard let track = RecordedTrack(self.recorder, boot: self.boot) else { return .timedOut }
    // The fix that ended the last part is no part of its own.
    if self.finished != nil, track.count == 1 { return .success }
    do throws(SystemError) {
      try self.file.write(track, now: self.conversation.loop.now)
    } catch {
      let rest = self.file.isPlaced ? "the file has what was saved before" : "the recording is lost"
      context.report("cannot \(error); \(rest)")
      return .failure
    }
    self.finished =
      self.finished.map { ($0.parts + 1, $0.figures + track.figures, $0.start, track.end) }
      ?? (1, track.figures, track.start, track.end)
    let report = TrackReport(file: self.file.path, track: track)
    context.print(report, drawn: report.lines(in: context.format))
    return .success
  }

  /// - Parameter over: Whether to clear the line.
  private func draw(over: Bool = false) {
    let process = self.conversation.context.process
    guard process.canRedrawErrors else { return }
    let line =
      over
      ? ""
      : TrackLine.text(
        self.recorder, availability: self.availability, in: self.conversation.context.format,
        columns: process.errorColumns)
    process.redraw(line)
  }
}

/// The progress line while a track is recorded.
enum TrackLine {
  /// At most as long as the terminal is wide, so that it can be redrawn.
  static func text(
    _ recorder: TrackRecorder, availability: Availability, in format: PositionFormat = PositionFormat(), columns: Int
  ) -> String {
    var parts: [String] = []
    if let first = recorder.segments.first?.first, let newest = recorder.newest {
      parts += [
        recorder.count.counted("fix", "fixes"), format.distance(recorder.odometer.length),
        format.accuracy(newest.horizontalAccuracy), TimeSpan.words(newest.arrival - first.arrival),
      ]
    }
    if availability != .available { parts.append(availability.text) }
    return String(parts.joined(separator: "; ").prefix(max(0, columns - 1)))
  }
}
