import Glibc
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// `positionctl sky`: the satellites.
struct SkyCommand: Command {
  static let watch = Option(flag: "watch", letter: "w", "keep updating until Ctrl-C")

  static let description = CommandDescription(
    name: "sky", summary: "show the satellites that the receiver sees",
    explanation: [
      "On a terminal, draws the sky beside the table, as large as the window allows: north is up, the zenith is in the middle, and the rings are 60, 30 and 0 "
        + "degrees above the horizon. Names follow RINEX (G GPS, R GLONASS, E Galileo, C BeiDou, J QZSS, I NavIC, "
        + "S SBAS); lowercase satellites are not used for the fix. Never turns the receiver on."
    ],
    options: [Self.watch],
    examples: [
      "positionctl sky": "the satellites the receiver saw last",
      "positionctl sky --watch": "a picture that follows the sky",
    ])

  private let isWatching: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    self.isWatching = arguments.has(Self.watch)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      if self.isWatching { conversation.watchSky() }
      conversation.ask(SkyGetRequest(), within: self.isWatching ? .seconds(10) : .zero) { result in
        conversation.show(result.sky, isFirst: true, isWatched: self.isWatching)
        if !self.isWatching { conversation.finish(.success) }
      }
    }
  }
}

extension Conversation {
  fileprivate func watchSky() {
    self.follow(SkySubscribeRequest(isPassive: true), missed: "updates in between were missed") {
      [unowned self] event in
      switch event {
      case .notified(let update as SkyUpdateNotification): self.show(update.sky, isFirst: false, isWatched: true)
      case .stopped, .over(nil): self.finish(.success)
      case .begun, .notified, .disconnected, .suspended, .reconnected, .over: break
      }
    }
  }

  fileprivate func show(_ sky: Sky?, isFirst: Bool, isWatched: Bool) {
    let process = self.context.process
    if !isFirst, !self.context.wantsJSON { process.turnPage() }
    let now = self.context.moment.now
    self.print(
      SkyGetRequest.Result(sky),
      drawn: process.output.isTerminal
        ? SkyScreen(columns: process.columns, rows: process.rows, isCut: isWatched, isUnicode: process.isUnicode)
          .lines(sky, now: now) : SkyTable.lines(sky, now: now, isUnicode: process.isUnicode))
  }
}

/// The satellites as a table.
enum SkyTable {
  /// One line per satellite, by system and number.
  static func lines(_ sky: Sky?, now: Instant, isUnicode: Bool = true) -> [Line] {
    guard let sky, case let satellites = sky.satellites, !satellites.isEmpty else { return [Line(self.nothing(sky))] }
    var lines = [Line("SAT   ELEV  AZIM   SNR  USED", .bold)]
    for satellite in SkyTable.sorted(satellites) {
      let line =
        SkyTable.name(satellite).padded(4) + " " + self.angle(satellite.elevation, width: 5, isUnicode) + " "
        + self.angle(satellite.azimuth, width: 5, isUnicode) + " " + (satellite.snr?.fixed(0) ?? "-").aligned(5) + "  "
        + (satellite.isUsed ? "used" : "-").padded(4)
      let bar = self.bar(satellite.snr)
      let full = bar.isEmpty ? line.withoutTrailingSpaces : "\(line)  \(bar)"
      lines.append(Line(full, satellite.isUsed ? .good : nil))
    }
    return lines + [Line(self.summary(sky, now: now))]
  }

  /// `G05` as in RINEX: a letter for the system and two digits.
  static func name(_ satellite: Sky.Satellite) -> String {
    let letter =
      switch satellite.constellation {
      case .gps: "G"
      case .sbas: "S"
      case .galileo: "E"
      case .beidou: "C"
      case .imes: "M"
      case .qzss: "J"
      case .glonass: "R"
      case .navic: "I"
      case .unknown: "?"
      }
    return letter + (satellite.svid < 10 ? "0" : "") + "\(satellite.svid)"
  }

  static func sorted(_ satellites: [Sky.Satellite]) -> [Sky.Satellite] {
    satellites.sorted { (SkyTable.name($0), $0.svid) < (SkyTable.name($1), $1.svid) }
  }

  /// One mark for each 2 dBHz; receivers report up to about 55.
  private static func bar(_ snr: Double?) -> String {
    guard let snr, snr > 0 else { return "" }
    return String(repeating: "#", count: Int(min(snr, 60) / 2))
  }

  /// Without Unicode there is no sign of degrees, which would take the room of several characters.
  static func angle(_ degrees: Double?, width: Int, _ isUnicode: Bool) -> String {
    let text = degrees.map { FixFormat.degrees($0) } ?? "-"
    return (isUnicode ? text : text.filter { $0 != "°" }).aligned(width)
  }

  static func nothing(_ sky: Sky?) -> String {
    sky == nil
      ? "No satellite data yet: the receiver reports while something uses it, such as \"positionctl watch\"."
      : "The receiver sees no satellites."
  }

  static func summary(_ sky: Sky, now: Instant) -> String { self.facts(sky, now: now).joined(separator: ", ") }

  /// What there is to say of the sky as a whole, the most important first.
  static func facts(_ sky: Sky, now: Instant) -> [String] {
    var parts = [
      "\(sky.satellitesUsed) of \(sky.satellites.count.counted("satellite", "satellites")) used"
    ]
    if let hdop = sky.hdop { parts.append("HDOP \(hdop.fixed(1))") }
    if let vdop = sky.vdop { parts.append("VDOP \(vdop.fixed(1))") }
    if let pdop = sky.pdop { parts.append("PDOP \(pdop.fixed(1))") }
    parts.append("\(TimeSpan.words((now - sky.arrival).seconds)) ago")
    return parts
  }
}

/// The sky as seen from below, drawn with characters: north is up, the zenith is in the middle, the horizon is the
/// border.
///
/// Rings mark 0, 30 and 60 degrees of elevation. A satellite is shown by its name, in small letters if the fix does not
/// use it; of two that would overlap, the used and stronger one is drawn.
struct SkyPlot {
  /// A picture of this size has room for a dozen satellites; a smaller one says nothing.
  static let (usualRadius, leastRadius) = (10, 5)
  static let columnsPerLine = 2.1
  private static let margin = 4

  /// The number of lines from the middle to the horizon; a character is about twice as high as it is wide.
  private let radius: Int

  private var cells: [[Character]]

  /// How many columns a picture takes.
  static func width(_ radius: Int) -> Int { Int(Double(radius) * self.columnsPerLine) * 2 + 1 + self.margin * 2 }
  static func height(_ radius: Int) -> Int { radius * 2 + 1 }

  static func lines(_ sky: Sky?, radius: Int = SkyPlot.usualRadius) -> [Line] {
    guard let satellites = sky?.satellites, !satellites.isEmpty else { return [] }
    var plot = SkyPlot(radius: radius)
    plot.drawRings()
    for satellite in SkyPlot.byImportance(satellites) { plot.draw(satellite) }
    return plot.cells.map { SkyPlot.drawn($0) }
  }

  private init(radius: Int) {
    self.radius = radius
    let row = [Character](repeating: " ", count: SkyPlot.width(radius))
    self.cells = Array(repeating: row, count: SkyPlot.height(radius))
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
    let distance = (90 - elevation) / 90 * Double(self.radius)
    let angle = azimuth * .pi / 180
    let row = self.radius - Int((cos(angle) * distance).rounded())
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

  /// Rings are dimmed.
  private static func drawn(_ row: [Character]) -> Line {
    var line: Line?
    for word in String(row).withoutTrailingSpaces.split(separator: " ", omittingEmptySubsequences: false) {
      let isUsed = word.contains(where: \.isUppercase)
      let part = Line(word, word.contains(where: \.isNumber) ? (isUsed ? .good : nil) : word.isEmpty ? nil : .dim)
      line = line.map { $0 + " " + part } ?? part
    }
    return line ?? ""
  }
}

extension String {
  var withoutTrailingSpaces: String { String(self.reversed().drop { $0 == " " }.reversed()) }
}
