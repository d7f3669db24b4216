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

  static let description = CommandDescription(
    name: "track", summary: "record where the device goes, into a file",
    explanation: [
      "Records until Ctrl-C or as --duration says, and then writes the file: GPX for map programs, GeoJSON for programs, "
        + "or SVG, a picture with scale and accuracy. The file takes the place of one that was there, whole or not at "
        + "all; where no fix came, there is none, and the exit code is 2."
    ],
    options: [Self.output, Self.duration, Self.accuracy, Self.minDistance, Self.minInterval],
    examples: [
      .init(line: "positionctl track --output tour.gpx", meaning: "until Ctrl-C"),
      .init(line: "positionctl track -o walk.svg --duration 30min --min-distance 5", meaning: "a picture of a walk"),
      .init(
        line: "positionctl track -o day.geojson --min-interval 30 --duration 24h --json",
        meaning: "a fix in half a minute, for a day; a script reads what came of it"),
    ])

  let file: TrackFile
  let request: PositionSubscribeRequest

  init(_ arguments: Arguments) throws(UsageError) {
    guard let file = arguments[Self.output] else { throw UsageError("track: \(Self.output.form) is missing") }
    self.file = file
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
    return context.converse(Self.description) { conversation in
      let recorder = TrackRecorder(
        minInterval: self.request.minInterval ?? 1, minDistance: self.request.minDistance ?? 0)
      Recording(self.file, recorder, in: conversation).begin(self.request)
    }
  }
}
