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
