import EventLoop
import Glibc
import PositionClient
import PositionProtocol
import Positioning
import ProgramArguments
import Track

/// `positionctl track`: records a track into a file.
struct TrackCommand: Command {
  static let output = Option("output", letter: "o", .trackFile, "output file, ending in .gpx, .geojson or .svg")
  static let options = ParameterOptions<PositionSubscribeRequest>(
    of: ["duration", "accuracy", "minDistance", "minInterval"])
  static let mode = Option("mode", .mode, "who may read and write the file, as chmod has it (600)")
  static let overwrite = Option(flag: "overwrite", "replace an existing file")

  static let description = CommandDescription(
    name: "track", summary: "record a track into a file",
    explanation: [
      "Records until Ctrl-C, until the terminal is closed, or for --duration: GPX for map programs, GeoJSON for programs, "
        + "or SVG, a picture with scale and accuracy. Without a fix no file is written and the exit code is 2. An existing "
        + "file is kept unless --overwrite is given. Only you may read the file, unless --mode says otherwise.",
      "The file is written from the first fix on: whatever ends the program, at most the last 10 seconds are missing, of "
        + "a picture the last minute. If positiond restarts, recording goes on with a new segment.",
    ],
    options: [Self.output] + Self.options.all + [Self.mode, Self.overwrite],
    examples: [
      .init(line: "positionctl track --output tour.gpx", meaning: "until Ctrl-C"),
      .init(line: "positionctl track -o walk.svg --duration 30min --min-distance 5", meaning: "a picture of a walk"),
      .init(
        line: "positionctl track -o day.geojson --min-interval 30 --duration 24h --json",
        meaning: "a fix every half minute, for a day; prints the result as JSON"),
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
    placeholder: "FILE", expectation: "a file's name that ends in .gpx, .geojson or .svg"
  ) { TrackFile($0) }
}
