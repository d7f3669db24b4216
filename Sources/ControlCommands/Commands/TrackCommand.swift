import EventLoop
import Glibc
import JSONRPC
import Notations
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments
import Track

/// `positionctl track`: records a track into a file.
struct TrackCommand: Command {
  static let output = Option(
    "output", letter: "o", .trackFile, "output file, ending in .gpx, .geojson, .kml, .csv or .svg")
  static let options = ParameterOptions<PositionSubscribeRequest>(
    of: ["duration", "accuracy", "minDistance", "minInterval"])
  static let mode = Option("mode", .mode, "who may read and write the file, as chmod has it (600)")
  static let overwrite = Option(flag: "overwrite", "replace an existing file")

  static let description = CommandDescription(
    name: "track", summary: "record a track into a file",
    explanation: [
      "Records until Ctrl-C, until the terminal is closed, or for --duration: GPX or KML for map programs, GeoJSON for "
        + "programs, CSV for spreadsheets, or SVG, a picture with scale and accuracy. Without a fix no file is written "
        + "and the exit code is 2. An existing "
        + "file is kept unless --overwrite is given. Only you may read the file, unless --mode says otherwise.",
      "The file is written from the first fix on: whatever ends the program, at most the last 10 seconds are missing, of "
        + "a picture the last minute. If positiond restarts, recording goes on with a new segment.",
    ],
    options: [Self.output] + Self.options.all + [Self.mode, Self.overwrite],
    examples: [
      "positionctl track --output tour.gpx": "until Ctrl-C",
      "positionctl track -o walk.svg --duration 30min --min-distance 5": "a picture of a walk",
      "positionctl track -o day.geojson --min-interval 30 --duration 24h --json":
        "a fix every half minute, for a day; prints the result as JSON",
    ])

  let file: TrackFile
  let request: PositionSubscribeRequest
  private let overwrites: Bool
  private let mode: mode_t?

  init(_ arguments: Arguments) throws(UsageError) {
    guard let file = arguments[Self.output] else { throw UsageError("missing \(Self.output.form)") }
    self.file = file
    self.overwrites = arguments.has(Self.overwrite)
    self.mode = arguments[Self.mode]
    var request = try Self.options.request(arguments)
    request.asked.replay = SubscriptionParameters.Replay.none
    self.request = request
  }

  func run(in context: CommandContext) -> ExitCode {
    do throws(SystemError) {
      try self.file.check()
    } catch {
      context.report("cannot \(error)")
      return .failure
    }
    guard self.overwrites || !self.file.exists else {
      context.report("\(self.file.path) exists; choose another name, or replace it with --overwrite")
      return .failure
    }
    return context.converse(Self.description) { conversation in
      let file = RecordingFile(self.file, replaces: self.overwrites, mode: self.mode)
      let recorder = TrackRecorder(
        minInterval: self.request.asked.minInterval?.seconds ?? 1, minDistance: self.request.asked.minDistance ?? 0)
      Recording(file, recorder, in: conversation).begin(self.request)
    }
  }
}

extension ValueKind where Value == mode_t {
  static let mode = ValueKind(placeholder: "MODE", expectation: "an octal number from 0 to 777, such as 640") { text in
    mode_t(text, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil }
  }
}

extension ValueKind where Value == TrackFile {
  static let trackFile = ValueKind(
    placeholder: "FILE", expectation: "a file's name that ends in .gpx, .geojson, .kml, .csv or .svg"
  ) { TrackFile($0) }
}

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
    let before = self.recorder.count
    self.recorder.fixed(fix)
    guard self.recorder.count > before else { return }
    if self.savingSchedule.fixed(now: self.conversation.loop.now) { self.save() } else { self.arm() }
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
      TrackReport(file: self.file.path, track: track),
      drawn: ["\(self.file.path): \(track.summary(distance: context.format.distance))"])
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

/// What `positionctl track --json` prints.
private struct TrackReport: WireValue {
  let file: String
  let track: RecordedTrack

  static let codec: Codec<TrackReport> = .written { report, writer in
    writer.key("file")
    writer.string(report.file)
    writer.key("fixes")
    writer.integer(report.track.count)
    writer.key("segments")
    writer.integer(report.track.segments.count)
    writer.key("distance")
    writer.number(report.track.length, decimals: 1)
    writer.key("duration")
    writer.number(report.track.duration, decimals: 3)
    writer.key("start")
    Timestamp.codec.write(report.track.start, &writer)
    writer.key("end")
    Timestamp.codec.write(report.track.end, &writer)
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
