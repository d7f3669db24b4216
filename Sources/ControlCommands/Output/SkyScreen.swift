import Positioning
import Printable

/// The sky on a terminal: the picture on the left and the table on the right, in as many lines as the window has. In a window
/// that is too narrow or too low for that, the table alone.
struct SkyScreen {
  /// How many characters a line has, and how many lines there are.
  let columns: Int
  let rows: Int
  /// Whether satellites that have no room are left out, because the screen is drawn again and again.
  let isCut: Bool
  let isUnicode: Bool

  private static let gap = 2
  /// `G05   45°  120°   38 *`: the table without words and bars.
  private static let tableWidth = 22

  func lines(_ sky: Sky?, now: Instant) -> [Line] {
    guard let sky, !sky.satellites.isEmpty else { return SkyTable.lines(sky, now: now) }
    let summary = Line(String(SkyTable.summary(sky, now: now).prefix(max(self.columns - 1, 0))))
    // The summary and the shell's next line need one each.
    let height = max(self.rows - 2, 1)
    guard let radius = self.radius(height) else {
      let table = SkyTable.lines(sky, now: now, isUnicode: self.isUnicode).dropLast()
      return self.cut(Array(table), of: sky, to: height) + [summary]
    }
    let picture = SkyPlot.lines(sky, radius: radius)
    let width = SkyPlot.width(radius)
    let table = self.cut(self.table(sky, width: self.columns - 1 - width - Self.gap), of: sky, to: height)
    let lines = (0..<max(picture.count, table.count)).map { row -> Line in
      let left = row < picture.count ? picture[row] : ""
      guard row < table.count else { return left }
      return left + Line(String(repeating: " ", count: width + Self.gap - left.count)) + table[row]
    }
    return lines + [summary]
  }

  /// The largest that fits; `nil`: none does.
  private func radius(_ height: Int) -> Int? {
    (SkyPlot.leastRadius...SkyPlot.usualRadius).reversed().first { radius in
      SkyPlot.height(radius) <= height && SkyPlot.width(radius) + Self.gap + Self.tableWidth < self.columns
    }
  }

  /// The header and the satellites; a bar for the signal where there is room.
  private func table(_ sky: Sky, width: Int) -> [Line] {
    let room = width - Self.tableWidth - 1
    return [Line("SAT  ELEV  AZIM  SNR  USED".prefix(width), .bold)]
      + SkyTable.sorted(sky.satellites).map { satellite in
        let text =
          SkyTable.name(satellite).padded(3) + " " + SkyTable.angle(satellite.elevation, width: 5, self.isUnicode) + " "
          + SkyTable.angle(satellite.azimuth, width: 5, self.isUnicode) + " "
          + (satellite.snr?.fixed(0) ?? "-").aligned(4) + " " + (satellite.isUsed ? "*" : " ")
        let bar = String(
          repeating: "#", count: max(0, min(room, Int(max(0, min(satellite.snr ?? 0, 60)) / 60 * Double(max(room, 0)))))
        )
        let line = bar.isEmpty ? text.withoutTrailingSpaces : "\(text) \(bar)"
        return Line(line, satellite.isUsed ? .good : nil)
      }
  }

  /// The header with as many satellites as fit, and how many do not.
  private func cut(_ table: [Line], of sky: Sky, to height: Int) -> [Line] {
    guard self.isCut, table.count > height, height > 1 else { return table }
    return table.prefix(height - 1) + [Line("and \(table.count - height + 1) more")]
  }
}
