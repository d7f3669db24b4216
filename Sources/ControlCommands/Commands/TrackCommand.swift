import EventLoop
import PositionClient
import PositionProtocol
import Positioning

/// `positionctl track`: a file of where the device went.
struct TrackCommand: Command {
  static let output = Option("output", letter: "o", .trackFile, "where to; the name ends in .gpx, .geojson or .svg")
  static let duration = Option("duration", .period, "end after so long")
  static let accuracy = Option("accuracy", .accuracy, "what is asked of the receiver (room); withholds no fix")
  static let minDistance = Option("min-distance", .distance, "only fixes so far apart (0)")
  static let minInterval = Option("min-interval", .seconds, "not more often (1)")
  static let overwrite = Option(flag: "overwrite", "replace the file that is there")

  static let description = CommandDescription(
    name: "track", summary: "record where the device goes, into a file",
    explanation: [
      "Records until Ctrl-C, or until the terminal goes, or as --duration says: GPX for map programs, GeoJSON for "
        + "programs, or SVG, a picture with scale and accuracy. Where no fix came there is no file, and the exit code is "
        + "2. What is there already is left alone, unless --overwrite is given.",
      "The file is there from the first fix on, and grows: whatever ends the program, at most the last 10 seconds are "
        + "missing, of a picture the last minute. When positiond goes away, it waits and goes on; the gap begins a new "
        + "segment.",
    ],
    options: [Self.output, Self.duration, Self.accuracy, Self.minDistance, Self.minInterval, Self.overwrite],
    examples: [
      .init(line: "positionctl track --output tour.gpx", meaning: "until Ctrl-C"),
      .init(line: "positionctl track -o walk.svg --duration 30min --min-distance 5", meaning: "a picture of a walk"),
      .init(
        line: "positionctl track -o day.geojson --min-interval 30 --duration 24h --json",
        meaning: "a fix in half a minute, for a day; a script reads what came of it"),
    ])

  let file: TrackFile
  let request: PositionSubscribeRequest
  private let overwrites: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard let file = arguments[Self.output] else { throw UsageError("track: \(Self.output.form) is missing") }
    self.file = file
    self.overwrites = arguments.has(Self.overwrite)
    self.request = PositionSubscribeRequest(
      accuracy: arguments[Self.accuracy], minInterval: arguments[Self.minInterval],
      minDistance: arguments[Self.minDistance], duration: arguments[Self.duration],
      replay: PositionSubscribeRequest.Replay.none)
  }

  func run(in context: CommandContext) -> ExitCode {
    do throws(SystemError) {
      try self.file.check()
    } catch {
      context.tell("cannot \(error)")
      return .failure
    }
    guard self.overwrites || !self.file.exists else {
      context.tell("\(self.file.path) is there already; name another file, or replace it with --overwrite")
      return .failure
    }
    return context.converse(Self.description) { conversation in
      let file = RecordingFile(self.file, replaces: self.overwrites)
      let recorder = TrackRecorder(
        minInterval: self.request.minInterval ?? 1, minDistance: self.request.minDistance ?? 0)
      Recording(file, recorder, in: conversation).begin(self.request)
    }
  }
}
