import Glibc
import PositionProtocol
import Positioning
import Printable

/// Draws a track as SVG: one file without references to others, for every browser.
enum SVGWriter {
  static let width = 960.0
  static let margin = 28.0
  private static let header = 88.0
  private static let footer = 46.0

  static func write(_ track: RecordedTrack, to output: inout some TextOutputStream) {
    let map = TrackMap(
      track, origin: (self.margin, self.header), width: self.width - 2 * self.margin, heights: 420...904)
    let drawing = TrackDrawing(map)
    let height = self.header + map.frame.height + self.footer
    output.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(self.width.drawn) \(height.drawn)" role="img">
      <title>\(XML.escaped(track.title))</title>
      <desc>\(XML.escaped(track.summary))</desc>
      <style>
      \(SVGStyle.sheet)
      </style>
      <rect class="paper" width="100%" height="100%"/>
      <text class="title" x="\(self.margin.drawn)" y="42">\(XML.escaped(track.title))</text>
      <text class="summary" x="\(self.margin.drawn)" y="67">\(XML.escaped(self.summary(track)))</text>

      """)
    drawing.write(to: &output)
    TrackEnds(track, map).write(to: &output)
    SVGFurniture.write(track, map, to: &output)
    output.write("</svg>\n")
  }

  /// Such as `512 fixes, 5.02 km in 8 min · accuracy ±3.1 m, at worst ±12 m`.
  private static func summary(_ track: RecordedTrack) -> String {
    let accuracies = track.accuracies
    guard let worst = accuracies.last else { return track.summary + " \u{B7} accuracy unknown" }
    let usual = accuracies[accuracies.count / 2]
    let atWorst = worst.short == usual.short ? "" : ", at worst \u{B1}\(worst.short) m"
    return track.summary + " \u{B7} accuracy \u{B1}\(usual.short) m\(atWorst)"
  }
}

extension Double {
  /// With one decimal: a tenth of a unit is less than a pixel.
  var drawn: String {
    let text = self.fixed(1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// Draws the track: the grid, the accuracy of each fix, the line of each segment, and arrows in the direction of
/// travel.
struct TrackDrawing {
  /// The distance between two arrows.
  private static let stride = 130.0
  /// A spot that is nearer to the last drawn one is left out, because the difference is invisible.
  private static let finest = 0.4

  let map: TrackMap
  /// The visibly different spots of each segment.
  private let lines: [[TrackMap.Spot]]

  init(_ map: TrackMap) {
    self.map = map
    self.lines = map.segments.map { Self.thinned($0) }
  }

  func write(to output: inout some TextOutputStream) {
    let frame = self.map.frame
    let box =
      "x=\"\(frame.x.drawn)\" y=\"\(frame.y.drawn)\" width=\"\(frame.width.drawn)\" height=\"\(frame.height.drawn)\""
    output.write(
      """
      <clipPath id="frame"><rect \(box) rx="6"/></clipPath>
      <rect class="land" \(box) rx="6"/>
      <g clip-path="url(#frame)">

      """)
    self.writeGrid(to: &output)
    self.writeAccuracy(to: &output)
    self.writeGaps(to: &output)
    for style in ["casing", "track"] {
      output.write("<g class=\"\(style)\">\n")
      for line in self.lines { output.write("<polyline points=\"\(Self.points(line))\"/>\n") }
      output.write("</g>\n")
    }
    self.writeArrows(to: &output)
    output.write("</g>\n")
  }

  /// Lines at the distance of the scale bar's length, so that every part of the sheet shows the scale.
  private func writeGrid(to output: inout some TextOutputStream) {
    let frame = self.map.frame
    let step = SVGFurniture.scaleBar(self.map).length
    var path = ""
    for x in Swift.stride(from: frame.x + step, to: frame.x + frame.width, by: step) {
      path += "M\(x.drawn) \(frame.y.drawn)v\(frame.height.drawn)"
    }
    for y in Swift.stride(from: frame.y + step, to: frame.y + frame.height, by: step) {
      path += "M\(frame.x.drawn) \(y.drawn)h\(frame.width.drawn)"
    }
    output.write("<path class=\"grid\" d=\"\(path)\"/>\n")
  }

  /// One shape of all circles, so that overlapping circles are no darker.
  private func writeAccuracy(to output: inout some TextOutputStream) {
    output.write("<g class=\"accuracy\" opacity=\"0.25\">\n")
    var last: TrackMap.Spot?
    for spot in self.lines.joined() {
      // A smaller circle is hidden by the line.
      guard let radius = spot.radius, radius > 2 else { continue }
      if let last, let drawn = last.radius, spot.distance(to: last) < radius / 4, abs(drawn - radius) < radius / 8 {
        continue
      }
      last = spot
      output.write("<circle cx=\"\(spot.x.drawn)\" cy=\"\(spot.y.drawn)\" r=\"\(radius.drawn)\"/>\n")
    }
    output.write("</g>\n")
  }

  private func writeGaps(to output: inout some TextOutputStream) {
    for (line, next) in zip(self.lines, self.lines.dropFirst()) {
      guard let end = line.last, let start = next.first else { continue }
      output.write("<polyline class=\"gap\" points=\"\(Self.points([end, start]))\"/>\n")
    }
  }

  private func writeArrows(to output: inout some TextOutputStream) {
    for line in self.lines {
      var walked = 0.0
      for (spot, next) in zip(line, line.dropFirst()) {
        walked += spot.distance(to: next)
        guard walked >= Self.stride else { continue }
        walked = 0
        let angle = atan2(next.y - spot.y, next.x - spot.x) * 180 / .pi
        output.write(
          """
          <path class="way" d="M-6 -5.5L7 0L-6 5.5L-3.5 0z"\
           transform="translate(\(next.x.drawn) \(next.y.drawn)) rotate(\(angle.drawn))"/>

          """)
      }
    }
  }

  /// A line of one spot is drawn as a dot, with the spot twice.
  private static func points(_ line: [TrackMap.Spot]) -> String {
    let points = line.map { "\($0.x.drawn),\($0.y.drawn)" }
    return (points.count == 1 ? points + points : points).joined(separator: " ")
  }

  private static func thinned(_ spots: [TrackMap.Spot]) -> [TrackMap.Spot] {
    var kept: [TrackMap.Spot] = []
    for spot in spots {
      guard let last = kept.last, spot.distance(to: last) < self.finest else {
        kept.append(spot)
        continue
      }
      // Of several fixes on one spot the least accurate is kept, because its circle is visible.
      if spot.radius ?? 0 > last.radius ?? 0 { kept[kept.count - 1].radius = spot.radius }
    }
    return kept
  }
}

/// The start and the end of a drawn track, with their times.
struct TrackEnds {
  /// The approximate size of a label.
  private static let labelWidth = 150.0
  private static let labelHeight = 24.0
  /// The length of track that decides on which side the label stands.
  private static let reach = 40.0

  private let track: RecordedTrack
  private let frame: TrackMap.Frame
  private let start: TrackMap.Spot
  private let end: TrackMap.Spot
  private let isStartAbove: Bool
  private let isEndAbove: Bool

  init(_ track: RecordedTrack, _ map: TrackMap) {
    self.track = track
    self.frame = map.frame
    let middle = TrackMap.Spot(x: map.frame.x + map.frame.width / 2, y: map.frame.y + map.frame.height / 2)
    let first = map.segments.first ?? []
    let last = map.segments.last ?? []
    let (start, end) = (first.first ?? middle, last.last ?? middle)
    self.start = start
    self.end = end
    if abs(start.y - end.y) < 2 * Self.labelHeight, abs(start.x - end.x) < Self.labelWidth {
      self.isStartAbove = start.y <= end.y
      self.isEndAbove = !self.isStartAbove
    } else {
      // The label stands on the side away from the track.
      self.isStartAbove = (first.first { $0.distance(to: start) > Self.reach } ?? middle).y > start.y
      self.isEndAbove = (last.last { $0.distance(to: end) > Self.reach } ?? middle).y > end.y
    }
  }

  func write(to output: inout some TextOutputStream) {
    output.write(
      """
      <rect class="end" x="\((self.end.x - 6).drawn)" y="\((self.end.y - 6).drawn)" width="12" height="12" rx="2"/>
      <circle class="start" cx="\(self.start.x.drawn)" cy="\(self.start.y.drawn)" r="6"/>

      """)
    self.writeLabel("Start \(Self.clock(self.track.start))", self.start, isAbove: self.isStartAbove, to: &output)
    self.writeLabel("End \(Self.clock(self.track.end))", self.end, isAbove: self.isEndAbove, to: &output)
  }

  private func writeLabel(
    _ text: String, _ spot: TrackMap.Spot, isAbove: Bool, to output: inout some TextOutputStream
  ) {
    let isRight = spot.x > self.frame.x + self.frame.width / 2
    let (x, y) = (spot.x + (isRight ? 6 : -6), spot.y + (isAbove ? -14 : 24))
    output.write(
      """
      <text class="mark" x="\(x.drawn)" y="\(y.drawn)" text-anchor="\(isRight ? "end" : "start")">\(text)</text>

      """)
  }

  /// `12:00:05`.
  private static func clock(_ time: Timestamp) -> String { String("\(time)".dropFirst(11).prefix(8)) }
}

/// The scale bar, the north arrow and the legend, outside of the map's frame.
enum SVGFurniture {
  /// From the frame's lower edge to the baseline of the notes.
  private static let drop = 27.0
  /// Where the notes begin: to the right of the longest scale bar with its label.
  private static let noteInset = 290.0

  static func scaleBar(_ map: TrackMap) -> ScaleBar {
    ScaleBar(scale: map.scale, limit: map.frame.width / 5)
  }

  static func write(_ track: RecordedTrack, _ map: TrackMap, to output: inout some TextOutputStream) {
    let (left, right) = (map.frame.x, map.frame.x + map.frame.width)
    let bar = self.scaleBar(map)
    let line = map.frame.y + map.frame.height + self.drop
    output.write(
      """
      <path class="needle" d="M\((right - 9).drawn) 28l8 23l-8 -6l-8 6z"/>
      <text class="north" x="\((right - 9).drawn)" y="67" text-anchor="middle">N</text>
      <path class="ink" d="M\(left.drawn) \((line - 9).drawn)v8h\(bar.length.drawn)v-8"/>
      <text class="note" x="\((left + bar.length + 9).drawn)" y="\(line.drawn)">\(bar.label)</text>

      """)
    if !track.accuracies.isEmpty {
      let x = left + self.noteInset
      output.write(
        """
        <g opacity="0.25"><circle class="accuracy" cx="\(x.drawn)" cy="\((line - 4.5).drawn)" r="7"/></g>
        <text class="note" x="\((x + 14).drawn)" y="\(line.drawn)">where the device was, with a probability of 68 %</text>

        """)
    }
    guard let device = track.device else { return }
    output.write(
      """
      <text class="note" x="\(right.drawn)" y="\(line.drawn)" text-anchor="end">\(XML.escaped(device))</text>

      """)
  }
}

/// The colours of a drawn track, for a light page and for a dark one.
enum SVGStyle {
  /// Viewers without support for dark pages use the light style; both have their own background.
  static let sheet = """
    text { font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1d2733; }
    .title { font-size: 21px; font-weight: 600; }
    .summary, .note { font-size: 13px; fill: #5b6774; }
    .north { font-size: 12px; font-weight: 600; }
    .mark { font-size: 13px; font-weight: 600; stroke: #fff; stroke-width: 4px; stroke-linejoin: round;
      paint-order: stroke; }
    .paper { fill: #fff; }
    .land { fill: #f5f6f3; stroke: #d9ddd6; }
    .grid { stroke: #e4e7e1; fill: none; }
    .accuracy { fill: #1463d6; }
    .casing { fill: none; stroke: #fff; stroke-width: 4.6; stroke-linejoin: round; stroke-linecap: round;
      opacity: 0.85; }
    .track { fill: none; stroke: #1463d6; stroke-width: 2.6; stroke-linejoin: round; stroke-linecap: round; }
    .gap { stroke: #5b6774; stroke-width: 1.5; stroke-dasharray: 1 6; stroke-linecap: round; fill: none; }
    .way { fill: #1463d6; stroke: #fff; stroke-width: 1.2; stroke-linejoin: round; }
    .start { fill: #12834a; stroke: #fff; stroke-width: 2; }
    .end { fill: #c8352b; stroke: #fff; stroke-width: 2; }
    .ink { stroke: #1d2733; stroke-width: 1.5; fill: none; }
    .needle { fill: #1d2733; }
    @media (prefers-color-scheme: dark) {
      text, .needle { fill: #e8edf2; }
      .summary, .note { fill: #9aa6b2; }
      .north { font-size: 12px; font-weight: 600; }
    .mark { stroke: #161b20; }
      .paper { fill: #161b20; }
      .land { fill: #1c2229; stroke: #333c46; }
      .grid { stroke: #29313a; }
      .accuracy { fill: #6aabff; }
      .casing { stroke: #161b20; }
      .track { stroke: #6aabff; }
      .gap { stroke: #9aa6b2; }
      .way { fill: #6aabff; stroke: #161b20; }
      .start { fill: #43d089; stroke: #161b20; }
      .end { fill: #ff7a6e; stroke: #161b20; }
      .ink { stroke: #e8edf2; }
    }
    """
}
