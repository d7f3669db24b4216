import Glibc
import PositionProtocol
import Positioning

/// The sky as seen from below, drawn with characters: north is up, the zenith is in the middle, the horizon is the
/// border.
///
/// Rings mark 0, 30 and 60 degrees of elevation. A satellite is shown by its name, in small letters if the fix does not
/// use it; of two that would overlap, the used and stronger one is drawn.
struct SkyPlot {
  /// The number of lines from the middle to the horizon; a character is about twice as high as it is wide.
  static let radius = 10
  static let columnsPerLine = 2.1
  private static let margin = 4

  private var cells: [[Character]]

  static func lines(_ sky: Sky?) -> [Line] {
    guard let satellites = sky?.satellites, !satellites.isEmpty else { return [] }
    var plot = SkyPlot()
    plot.drawRings()
    for satellite in SkyPlot.byImportance(satellites) { plot.draw(satellite) }
    return plot.cells.map { SkyPlot.drawn($0) }
  }

  private init() {
    let width = Int(Double(SkyPlot.radius) * SkyPlot.columnsPerLine) * 2 + 1 + SkyPlot.margin * 2
    self.cells = Array(repeating: Array(repeating: " ", count: width), count: SkyPlot.radius * 2 + 1)
  }

  private mutating func drawRings() {
    for elevation in [0.0, 30, 60] {
      for azimuth in stride(from: 0.0, to: 360, by: 5) { self.set(".", self.place(elevation, azimuth)) }
    }
    self.set("+", self.place(90, 0))
    for (letter, azimuth) in [("N", 0.0), ("E", 90), ("S", 180), ("W", 270)] {
      self.set(Character(letter), self.place(0, azimuth))
    }
  }

  private mutating func draw(_ satellite: Sky.Satellite) {
    guard let elevation = satellite.elevation, let azimuth = satellite.azimuth, (0...90).contains(elevation),
      (-360...360).contains(azimuth)
    else {
      return
    }
    let name = SkyTable.name(satellite)
    let label = Array(satellite.isUsed ? name : name.lowercased())
    let (row, middle) = self.place(elevation, azimuth)
    let start = max(0, min(self.cells[row].count - label.count, middle - 1))
    let columns = start..<(start + label.count)
    // A blank on either side, so that two names are never read as one.
    let around = max(0, start - 1)..<min(self.cells[row].count, columns.upperBound + 1)
    guard !self.cells[row][around].contains(where: { $0.isNumber }) else { return }
    for (column, character) in zip(columns, label) { self.set(character, (row, column)) }
  }

  private func place(_ elevation: Double, _ azimuth: Double) -> (row: Int, column: Int) {
    let distance = (90 - elevation) / 90 * Double(SkyPlot.radius)
    let angle = azimuth * .pi / 180
    let row = SkyPlot.radius - Int((cos(angle) * distance).rounded())
    let column = self.cells[0].count / 2 + Int((sin(angle) * distance * SkyPlot.columnsPerLine).rounded())
    return (row, column)
  }

  private mutating func set(_ character: Character, _ place: (row: Int, column: Int)) {
    self.cells[place.row][place.column] = character
  }

  private static func byImportance(_ satellites: [Sky.Satellite]) -> [Sky.Satellite] {
    SkyTable.sorted(satellites).sorted { left, right in
      left.isUsed != right.isUsed ? left.isUsed : (left.snr ?? 0) > (right.snr ?? 0)
    }
  }

  private static func trimmed(_ row: [Character]) -> String {
    String(row.reversed().drop { $0 == " " }.reversed())
  }

  /// Rings are dimmed.
  private static func drawn(_ row: [Character]) -> Line {
    var line: Line?
    for word in self.trimmed(row).split(separator: " ", omittingEmptySubsequences: false) {
      let isUsed = word.contains(where: \.isUppercase)
      let part = Line(word, word.contains(where: \.isNumber) ? (isUsed ? .good : nil) : word.isEmpty ? nil : .dim)
      line = line.map { $0 + " " + part } ?? part
    }
    return line ?? ""
  }
}
