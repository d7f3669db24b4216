import PositionProtocol
import Positioning
import Printable

/// The satellites as a table.
enum SkyTable {
  /// One line per satellite, by system and number.
  static func lines(_ sky: Sky?, now: Instant) -> [Line] {
    guard let sky, case let satellites = sky.satellites, !satellites.isEmpty else { return [Line(self.nothing(sky))] }
    var lines = [Line("SAT   ELEV  AZIM   SNR  USED", .bold)]
    for satellite in SkyTable.sorted(satellites) {
      let line =
        SkyTable.name(satellite).padded(4) + " " + self.angle(satellite.elevation, width: 5) + " "
        + self.angle(satellite.azimuth, width: 5) + " " + (satellite.snr?.fixed(0) ?? "-").aligned(5) + "  "
        + (satellite.isUsed ? "used" : "-").padded(4)
      let bar = self.bar(satellite.snr)
      let full = bar.isEmpty ? self.trimmed(line) : "\(line)  \(bar)"
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

  private static func angle(_ degrees: Double?, width: Int) -> String {
    (degrees.map { FixFormat.degrees($0) } ?? "-").aligned(width)
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  private static func nothing(_ sky: Sky?) -> String {
    sky == nil
      ? "No satellite data yet: the receiver reports while something uses it, such as \"positionctl watch\"."
      : "The receiver sees no satellites."
  }

  private static func summary(_ sky: Sky, now: Instant) -> String {
    var parts = [
      "\(sky.satellitesUsed) of \(sky.satellites.count.counted("satellite", "satellites")) used"
    ]
    if let hdop = sky.hdop { parts.append("HDOP \(hdop.fixed(1))") }
    if let vdop = sky.vdop { parts.append("VDOP \(vdop.fixed(1))") }
    if let pdop = sky.pdop { parts.append("PDOP \(pdop.fixed(1))") }
    parts.append("\(TimeSpan.words((now - sky.arrival).seconds)) ago")
    return parts.joined(separator: ", ")
  }
}
