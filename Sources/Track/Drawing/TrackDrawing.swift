import Glibc

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
