import PositionProtocol
import Positioning
import Printable

/// The satellites: where they stand, and how strong their signals are.
enum SkyPanel {
  /// The smallest plot in which names can be read, in lines from the middle to the horizon.
  private static let smallestRadius = 4
  private static let largestRadius = 12

  /// - Parameter hasPlot: Whether there is a picture of the sky over the bars.
  static func panel(
    _ model: MonitorModel, now: Instant, width: Int, hasPlot: Bool = true, _ glyphs: Glyphs
  ) -> Panel {
    let rows = self.rows(model, now: now, width: width, glyphs)
    let radius = min((width - 9) * 10 / 42, self.largestRadius)
    let canDraw = hasPlot && radius >= self.smallestRadius && model.sky.value??.satellites.isEmpty == false
    let wanted = rows.reduce(0) { $0 + $1.wanted(width: width, glyphs) }
    return Panel(
      "Sky", importance: 4, least: 1, usual: canDraw ? wanted + 2 * self.smallestRadius + 1 : nil,
      wanted: wanted + (canDraw ? 2 * radius + 1 : 0)
    ) { height in
      // Bars first: the plot is drawn in what is left.
      let room = height - wanted
      guard canDraw, room >= 2 * self.smallestRadius + 1 else {
        return rows.lines(width: width, height: height, glyphs)
      }
      let fitting = min(radius, (room - 1) / 2)
      let margin = String(repeating: " ", count: max(0, width - SkyPlot.width(fitting)) / 2)
      let plot = SkyPlot.lines(model.sky.value ?? nil, radius: fitting).map { Line(margin) + $0 }
      return plot + rows.lines(width: width, height: height - plot.count, glyphs)
    }
  }

  static func rows(_ model: MonitorModel, now: Instant, width: Int, _ glyphs: Glyphs) -> [Row] {
    switch model.sky {
    case .waiting: return [Row("Sky", ["waiting for positiond"], importance: 1)]
    case .missing(let why): return [Row("Sky", [why], .bad, importance: 1)]
    case .known(let sky):
      guard let sky, !sky.satellites.isEmpty else { return [Row("Sky", [SkyTable.nothing(sky)], importance: 1)] }
      return [Row("Sky", SkyTable.facts(sky, now: now), importance: 1)]
        + SignalBars.rows(sky, width: width - Row.labelWidth - 1, glyphs)
    }
  }
}

/// The strengths of the signals, a bar for each satellite: by constellation, the used ones first and apart.
enum SignalBars {
  private static let order: [Sky.Constellation] = [
    .gps, .galileo, .glonass, .beidou, .qzss, .navic, .sbas, .imes, .unknown,
  ]
  /// A receiver reports up to about 55 dBHz.
  private static let strongest = 55.0

  static func rows(_ sky: Sky, width: Int, _ glyphs: Glyphs) -> [Row] {
    self.order.enumerated().compactMap { place, constellation in
      let satellites = sky.satellites.filter { $0.constellation == constellation }
      guard !satellites.isEmpty else { return nil }
      let used = self.bars(satellites.filter(\.isUsed), glyphs)
      let unused = self.bars(satellites.filter { !$0.isUsed }, glyphs)
      let words = [used.isEmpty ? "" : "used \(used)", unused.isEmpty ? "" : "unused \(unused)"]
      let whole = words.filter { !$0.isEmpty }.joined(separator: "  ")
      // The counts stay when the bars do not fit.
      let counts = "\(satellites.count { $0.isUsed }) of \(satellites.count) used"
      return Row(
        constellation.name, [whole.columns <= width ? whole : counts], used.isEmpty ? .dim : .good,
        importance: 2 + place)
    }
  }

  private static func bars(_ satellites: [Sky.Satellite], _ glyphs: Glyphs) -> String {
    let strengths = satellites.map { $0.snr ?? 0 }.sorted(by: >)
    return String(
      strengths.map { strength in
        let share = min(max(strength / Self.strongest, 0), 1)
        return glyphs.bars[min(Int(share * Double(glyphs.bars.count)), glyphs.bars.count - 1)]
      })
  }
}

extension Sky.Constellation {
  /// As it is written.
  var name: String {
    switch self {
    case .gps: "GPS"
    case .sbas: "SBAS"
    case .galileo: "Galileo"
    case .beidou: "BeiDou"
    case .imes: "IMES"
    case .qzss: "QZSS"
    case .glonass: "GLONASS"
    case .navic: "NavIC"
    case .unknown: "others"
    }
  }
}

/// Each satellite with its name and a bar, for a screen about the sky alone.
enum SatellitesPanel {
  static func panel(_ model: MonitorModel, width: Int, _ glyphs: Glyphs) -> Panel {
    let satellites = (model.sky.value ?? nil)?.satellites ?? []
    return Panel("Satellites", importance: 5, least: 3, wanted: satellites.count + 2) { height in
      self.lines(satellites, width: width, height: height, glyphs)
    }
  }

  private static func lines(_ satellites: [Sky.Satellite], width: Int, height: Int, _ glyphs: Glyphs) -> [Line] {
    let sorted = SkyTable.sorted(satellites)
    var lines: [Line] = []
    for (title, group) in [("used", sorted.filter(\.isUsed)), ("not used", sorted.filter { !$0.isUsed })] {
      guard !group.isEmpty else { continue }
      lines.append(Line(title, .bold))
      for satellite in group {
        let strength = satellite.snr.map { $0.fixed(0) } ?? "-"
        let room = max(0, width - 10)
        let bar = Int((min(max(satellite.snr ?? 0, 0), 55) / 55 * Double(room)).rounded(.down))
        lines.append(
          Line("\(SkyTable.name(satellite).padded(4)) \(strength.aligned(3)) ")
            + Line(String(repeating: glyphs.bar, count: bar), satellite.isUsed ? .good : .dim))
      }
    }
    // A cut list says so.
    guard lines.count > height, height > 0 else { return lines }
    return lines.prefix(height - 1) + [Line("and \(lines.count - height + 1) more lines", .dim)]
  }
}
