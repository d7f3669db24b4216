import EventLoop
import Glibc
import Notations
import PositionProtocol
import Positioning
import Printable
import ProgramArguments
import Track

/// `positionctl track`: records a track into a file, or says what one has recorded.
struct TrackCommand: Command {
  static let output = Option(
    "output", letter: "o", .trackFile(TrackFormat.allCases), "output file, ending in .gpx, .geojson, .kml, .csv or .svg"
  )
  static let options = ParameterOptions<PositionSubscribeRequest>(
    of: ["duration", "accuracy", "minDistance", "minInterval"])
  static let split = Option(
    "split", .trackSplit, "a file for each part: of a time (30min), of a distance (1km), or from stop to stop (stop)")
  static let waypoints = Option(flag: "waypoints", "also write the regions of your durable names")
  static let mode = Option("mode", .mode, "who may read and write the file, as chmod has it (600)")
  static let overwrite = Option(flag: "overwrite", "replace an existing file")
  static let summary = Option(
    "summary", .trackFile(TrackFormat.allCases.filter { $0 != .svg }),
    "record nothing, and say what this file has: distance, times, speeds, climb and gaps")

  static let description = CommandDescription(
    name: "track", summary: "record a track into a file",
    explanation: [
      "Records until Ctrl-C, until the terminal is closed, or for --duration: GPX or KML for map programs, GeoJSON for "
        + "programs, CSV for spreadsheets, or SVG, a picture with scale and accuracy. Without a fix no file is written "
        + "and the exit code is 2. An existing "
        + "file is kept unless --overwrite is given. Only you may read the file, unless --mode says otherwise.",
      "The file is written from the first fix on: whatever ends the program, at most the last 10 seconds are missing, of "
        + "a picture the last minute. If positiond restarts, recording goes on with a new segment.",
      "At the end it says how far the device went, for how long it moved and rested, how fast it was, how far it climbed, and "
        + "where fixes are missing; --summary says the same of a file. What is within the errors of the fixes does not count.",
      "With --split, tour.gpx becomes tour-001.gpx, tour-002.gpx and so on. Each begins with the last fix of the one before.",
    ],
    options: [Self.output] + Self.options.all
      + [Self.split, Self.waypoints, Self.mode, Self.overwrite, Self.summary],
    examples: [
      "positionctl track --output tour.gpx": "until Ctrl-C",
      "positionctl track -o walk.svg --duration 30min --min-distance 5": "a picture of a walk",
      "positionctl track -o day.geojson --min-interval 30 --duration 24h --json":
        "a fix every half minute, for a day; prints the result as JSON",
      "positionctl track -o tour.gpx --split stop --waypoints":
        "a file for each way between two stops, with your regions",
      "positionctl track --summary tour.gpx --split 1km --units imperial": "what a recording has, for each kilometre",
    ])

  private enum Action {
    case record(RecordingPlan, PositionSubscribeRequest)
    case summarize(TrackFile)
  }

  private let action: Action
  private let split: TrackSplit?

  init(_ arguments: Arguments) throws(UsageError) {
    self.split = arguments[Self.split]
    if let file = arguments[Self.summary] {
      let others: [any CommandOption] = [Self.output, Self.waypoints, Self.mode, Self.overwrite]
      if let other = (others + Self.options.all).first(where: { arguments.has($0) }) {
        throw UsageError("--\(Self.summary.name) records nothing, so it cannot be combined with --\(other.name)")
      }
      self.action = .summarize(file)
      return
    }
    guard let file = arguments[Self.output] else { throw UsageError("missing \(Self.output.form)") }
    let wantsWaypoints = arguments.has(Self.waypoints)
    guard file.format.hasWaypoints || !wantsWaypoints else {
      throw UsageError("a .\(file.format.rawValue) has no waypoints; .gpx, .kml and .geojson have")
    }
    var request = try Self.options.request(arguments)
    request.asked.replay = SubscriptionParameters.Replay.none
    let plan = RecordingPlan(
      file: file, split: self.split, wantsWaypoints: wantsWaypoints, replaces: arguments.has(Self.overwrite),
      mode: arguments[Self.mode])
    self.action = .record(plan, request)
  }

  func run(in context: CommandContext) -> ExitCode {
    switch self.action {
    case .record(let plan, let request): self.record(plan, request, in: context)
    case .summarize(let file): self.summarize(file, in: context)
    }
  }

  private func record(_ plan: RecordingPlan, _ request: PositionSubscribeRequest, in context: CommandContext)
    -> ExitCode
  {
    let first = plan.file(1)
    do throws(SystemError) {
      try first.check()
    } catch {
      context.report("cannot \(error)")
      return .failure
    }
    guard plan.replaces || !first.exists else {
      context.report("\(first.path) exists; choose another name, or replace it with --overwrite")
      return .failure
    }
    return context.converse(Self.description) { conversation in
      let recorder = TrackRecorder(
        minInterval: request.asked.minInterval?.seconds ?? 1, minDistance: request.asked.minDistance ?? 0)
      guard plan.wantsWaypoints else { return Recording(plan, recorder, in: conversation).begin(request) }
      var plan = plan
      conversation.eachRegion { name, region in
        plan.waypoints.append(
          TrackWaypoint(
            region.region, description: "\(RegionFormat.shape(region.region, context.format)), of \(name)"))
      } then: { [unowned conversation] in
        if plan.waypoints.isEmpty { context.report("note: no durable name of yours has a region") }
        Recording(plan, recorder, in: conversation).begin(request)
      }
    }
  }

  private func summarize(_ file: TrackFile, in context: CommandContext) -> ExitCode {
    do {
      let text = try SystemDisk().read(file.path, limit: RecordedTrack.longestFile)
      guard text.count <= RecordedTrack.longestFile else {
        context.report("\(file.path): longer than \(RecordedTrack.longestFile >> 20) MiB")
        return .failure
      }
      let track = try RecordedTrack(reading: text, file.format)
      let parts = self.split.map { track.parts($0) } ?? [track]
      for (place, part) in parts.enumerated() {
        let report = TrackReport(file: file.path, part: parts.count > 1 ? place + 1 : nil, track: part)
        context.print(report, drawn: report.lines(in: context.format))
      }
      if parts.count > 1 {
        let whole = TrackReport(file: file.path, parts: parts.count, track.figures, from: track.start, to: track.end)
        context.print(whole, drawn: whole.lines(in: context.format))
      }
      return .success
    } catch let error as UnreadableTrack {
      context.report("\(file.path): \(error)")
    } catch {
      context.report("cannot \(error)")
    }
    return .failure
  }
}

extension ValueKind where Value == mode_t {
  static let mode = ValueKind(placeholder: "MODE", expectation: "an octal number from 0 to 777, such as 640") { text in
    mode_t(text, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil }
  }
}

extension ValueKind where Value == TrackFile {
  /// - Parameter formats: Those that it may have.
  static func trackFile(_ formats: [TrackFormat]) -> ValueKind {
    let endings = formats.map { ".\($0.rawValue)" }
    let list = "\(endings.dropLast().joined(separator: ", ")) or \(endings[endings.count - 1])"
    return ValueKind(placeholder: "FILE", expectation: "a file's name that ends in \(list)") { text in
      TrackFile(text).flatMap { formats.contains($0.format) ? $0 : nil }
    }
  }
}

extension ValueKind where Value == TrackSplit {
  static let trackSplit = ValueKind(
    placeholder: "PART", expectation: "a time from 1 s such as 30min, a distance from 10 m such as 1km, or stop",
    names: ["stop"]
  ) { text in
    if text == "stop" { return .stop }
    // Without a unit it could be either.
    guard text.last?.isLetter == true else { return nil }
    if let meters = Quantity.meters(text) { return meters >= 10 ? .distance(meters) : nil }
    return Quantity.seconds(text).flatMap { $0 >= 1 ? .time($0) : nil }
  }
}
