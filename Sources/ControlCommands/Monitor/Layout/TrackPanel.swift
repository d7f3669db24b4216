import Geodesy
import Glibc
import Notations
import Positioning
import Printable
import Track

/// The way of the last fixes, north up, with a scale.
enum TrackPanel {
  static func panel(_ model: MonitorModel, in format: PositionFormat, width: Int, _ glyphs: Glyphs) -> Panel {
    Panel("Track", importance: 7, least: 5, wanted: 16) { height in
      guard model.track.newest != nil else { return ["no fix yet"] }
      let drawing = TrackDots(model.track, columns: width, rows: height - 1, glyphs)
      return drawing.lines + [drawing.scale(format)]
    }
  }
}

/// A track as characters. With Unicode a character has two by four dots (Braille), else it is one dot.
struct TrackDots {
  /// Less is the noise of a resting device, in metres.
  private static let smallestExtent = 40.0

  private let columns: Int
  private let glyphs: Glyphs
  /// Dots of one character.
  private let grain: (x: Int, y: Int)
  /// Columns for a metre.
  private let columnsPerMeter: Double
  private var cells: [[UInt32]]
  private var here: (row: Int, column: Int)?

  init(_ track: MonitorTrack, columns: Int, rows: Int, _ glyphs: Glyphs) {
    self.columns = columns
    self.glyphs = glyphs
    self.grain = glyphs.isUnicode ? (2, 4) : (1, 1)
    self.cells = Array(repeating: Array(repeating: 0, count: columns), count: max(1, rows))
    let origin = track.newest ?? Coordinate(latitude: 0, longitude: 0)
    let segments = track.segments.map { $0.map { Self.flat($0, around: origin) } }
    let xs = segments.joined().map(\.x)
    let ys = segments.joined().map(\.y)
    let (west, east) = (xs.min() ?? 0, xs.max() ?? 0)
    let (south, north) = (ys.min() ?? 0, ys.max() ?? 0)
    // A line is as high as 2.1 columns are wide, as in the sky plot.
    let lineHeight = SkyPlot.columnsPerLine
    self.columnsPerMeter = min(
      Double(max(1, columns - 1)) / max(east - west, Self.smallestExtent),
      Double(max(1, rows - 1)) * lineHeight / max(north - south, Self.smallestExtent))
    let scale = self.columnsPerMeter
    let dotted = segments.map { segment in
      segment.map { spot in
        (
          x: (Double(columns) / 2 + (spot.x - (west + east) / 2) * scale) * Double(self.grain.x),
          y: (Double(rows) / 2 - (spot.y - (south + north) / 2) * scale / lineHeight) * Double(self.grain.y)
        )
      }
    }
    for segment in dotted {
      if let only = segment.first { self.dot(only.x, only.y) }
      for (start, end) in zip(segment, segment.dropFirst()) { self.line(start, end) }
    }
    if let newest = dotted.last?.last {
      self.here = (Int(newest.y) / self.grain.y, Int(newest.x) / self.grain.x)
    }
  }

  var lines: [Line] {
    self.cells.enumerated().map { row, cells in
      let text = String(cells.map(self.character))
      guard let here, here.row == row, cells.indices.contains(here.column) else { return Line(text) }
      return Line(text.prefix(here.column)) + Line(String(self.glyphs.here), .good)
        + Line(text.dropFirst(here.column + 1))
    }
  }

  /// Such as `|------| 200 m`.
  func scale(_ format: PositionFormat) -> Line {
    let bar = ScaleBar(scale: self.columnsPerMeter, limit: Double(self.columns) / 3)
    let length = max(0, Int(bar.length.rounded()) - 2)
    return Line("|\(String(repeating: self.glyphs.rule, count: length))| \(format.distance(bar.meters))", .dim)
  }

  private func character(_ dots: UInt32) -> Character {
    guard dots > 0 else { return " " }
    guard self.glyphs.isUnicode else { return "." }
    return Unicode.Scalar(0x2800 + dots).map(Character.init) ?? "."
  }

  private mutating func line(_ start: (x: Double, y: Double), _ end: (x: Double, y: Double)) {
    let steps = max(1, Int(max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up)))
    for step in 0...steps {
      let share = Double(step) / Double(steps)
      self.dot(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
    }
  }

  private mutating func dot(_ x: Double, _ y: Double) {
    let (column, row) = (Int(x) / self.grain.x, Int(y) / self.grain.y)
    guard self.cells.indices.contains(row), self.cells[row].indices.contains(column) else { return }
    self.cells[row][column] |= self.glyphs.isUnicode ? Self.braille(Int(x) % 2, Int(y) % 4) : 1
  }

  /// The bit of a dot in a Braille character.
  private static func braille(_ x: Int, _ y: Int) -> UInt32 {
    switch (x, y) {
    case (_, 3): x == 0 ? 0x40 : 0x80
    case (0, _): 1 << UInt32(y)
    default: 8 << UInt32(y)
    }
  }

  private static func flat(_ place: Coordinate, around middle: Coordinate) -> (x: Double, y: Double) {
    let distance = Geodesy.distance(from: middle, to: place)
    let bearing = (Geodesy.bearing(from: middle, to: place) ?? 0).radians
    return (distance * sin(bearing), distance * cos(bearing))
  }
}
