import JSONRPC
import Notations
import PositionProtocol
import Positioning
import Printable
import Track

/// What `positionctl track` says of a recording: as JSON, and for people.
struct TrackReport: WireValue {
  private let file: String?
  /// Which part of the file it is; `nil`: all of it.
  private let part: Int?
  /// How many parts it is about; `nil`: it is about one.
  private let parts: Int?
  private let figures: TrackFigures
  private let start: Timestamp
  private let end: Timestamp

  /// - Parameter part: Which part of the file the track is; `nil`: all of it.
  init(file: String, part: Int? = nil, track: RecordedTrack) {
    (self.file, self.part, self.parts) = (file, part, nil)
    self.figures = track.figures
    (self.start, self.end) = (track.start, track.end)
  }

  /// All parts together.
  ///
  /// - Parameter file: That they are in, if it is one.
  init(file: String? = nil, parts: Int, _ figures: TrackFigures, from start: Timestamp, to end: Timestamp) {
    (self.file, self.part, self.parts) = (file, nil, parts)
    self.figures = figures
    (self.start, self.end) = (start, end)
  }

  static let codec: Codec<TrackReport> = .written { report, writer in
    let figures = report.figures
    if let file = report.file {
      writer.key("file")
      writer.string(file)
    }
    for (name, count) in [
      ("part", report.part), ("parts", report.parts), ("fixes", figures.count), ("segments", figures.segments),
      ("gaps", figures.gaps),
    ] as [(String, Int?)] {
      guard let count else { continue }
      writer.key(name)
      writer.integer(count)
    }
    let numbers: [(String, Double?, Int)] = [
      ("distance", figures.distance, 1), ("duration", figures.duration, 3), ("moving", figures.moving, 3),
      ("resting", figures.resting, 3), ("missing", figures.missing, 3), ("averageSpeed", figures.averageSpeed, 2),
      ("largestSpeed", figures.largestSpeed, 2), ("climb", figures.climb, 1), ("descent", figures.descent, 1),
    ]
    for (name, value, decimals) in numbers {
      guard let value else { continue }
      writer.key(name)
      writer.number(value, decimals: decimals)
    }
    writer.key("start")
    Timestamp.codec.write(report.start, &writer)
    writer.key("end")
    Timestamp.codec.write(report.end, &writer)
  }

  /// A line with a summary, and one for each kind of figures.
  func lines(in format: PositionFormat) -> [Line] {
    let whole = self.parts.map { self.file == nil ? "\($0) files" : "\($0) parts" }
    let name = whole ?? (self.file ?? "") + (self.part.map { ", part \($0)" } ?? "")
    return (["\(name): \(self.figures.summary(distance: format.distance))"] + Self.rows(self.figures, in: format)).map {
      Line($0)
    }
  }

  /// The figures, a line for each that there is.
  private static func rows(_ figures: TrackFigures, in format: PositionFormat) -> [String] {
    let time = TimeSpan.words
    var moving = time(figures.moving)
    if let speed = figures.averageSpeed { moving += ", \(format.speed(speed)) on average" }
    if let speed = figures.largestSpeed { moving += ", \(format.speed(speed)) at most" }
    var rows = [("moving", moving), ("at rest", time(figures.resting))]
    if let climb = figures.climb, let descent = figures.descent {
      rows.append(("climb", "\(format.altitude(climb)) up, \(format.altitude(descent)) down"))
    }
    if figures.gaps > 0 { rows.append(("gaps", "\(figures.gaps), \(time(figures.missing)) without a fix")) }
    return rows.map { "  \($0.0.padded(8)) \($0.1)" }
  }
}
