import JSONRPC
import Notations
import PositionProtocol
import Positioning
import Printable
import Track

/// What `positionctl track` says of a recording: as JSON, and for people.
struct TrackReport: WireValue {
  let file: String
  /// Which part of the file it is; `nil`: all of it.
  var part: Int?
  let track: RecordedTrack

  static let codec: Codec<TrackReport> = .written { report, writer in
    let figures = report.track.figures
    writer.key("file")
    writer.string(report.file)
    for (name, count) in [
      ("part", report.part), ("fixes", figures.count), ("segments", figures.segments), ("gaps", figures.gaps),
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
    Timestamp.codec.write(report.track.start, &writer)
    writer.key("end")
    Timestamp.codec.write(report.track.end, &writer)
  }

  /// - Parameter name: What is described; `nil`: the file, or its part.
  func lines(in format: PositionFormat, named name: String? = nil) -> [String] {
    let name = name ?? self.file + (self.part.map { ", part \($0)" } ?? "")
    return ["\(name): \(self.track.summary(distance: format.distance))"] + Self.rows(self.track.figures, in: format)
  }

  func lines(in format: PositionFormat) -> [Line] { self.lines(in: format, named: nil).map { Line($0) } }

  /// The figures, a line for each that there is.
  static func rows(_ figures: TrackFigures, in format: PositionFormat) -> [String] {
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
