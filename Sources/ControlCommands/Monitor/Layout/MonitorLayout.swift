import JSONRPC
import Notations
import PositionProtocol
import Positioning

/// The picture of the model for a size: exactly so many lines, of exactly so many columns.
struct MonitorLayout {
  let width: Int
  let height: Int
  let glyphs: Glyphs

  /// Below these a screen has one column of panels, or no titles.
  private static let (leastOfTwo, leastTitled) = (72, 18)
  /// From here on the sky has a column of half of the width.
  private static let wide = 110

  func lines(_ model: MonitorModel, _ display: MonitorDisplay, at moment: CodingMoment) -> [Line] {
    let footer = self.height >= 10 ? [self.footer(display)] : []
    let room = max(0, self.height - 1 - footer.count)
    let body = display.showsHelp ? self.help(display, room) : self.body(model, display, at: moment, height: room)
    return ([self.header(model, display, at: moment)] + body + footer).prefix(self.height).map { $0.filled(self.width) }
  }

  // MARK: The edges

  private func header(_ model: MonitorModel, _ display: MonitorDisplay, at moment: CodingMoment) -> Line {
    let clock = Timestamp(since1970: moment.since1970).clock
    let mode = model.keepsOn ? "keeps the receiver on" : "observes only, turns nothing on"
    let short = model.keepsOn ? "keeps it on" : "observes only"
    let state = display.isFrozen ? "frozen" : nil
    let texts = [
      [model.status.value.map { "positiond \($0.version)" } ?? "positiond", mode, state, "\(clock) UTC"],
      [mode, state, "\(clock) UTC"],
      [mode, state], [short, state], [state ?? short],
    ].map { $0.compactMap { $0 }.map { self.glyphs.text($0) }.joined(separator: "  ") }
    let text = texts.first { $0.columns <= self.width } ?? ""
    return Line(text, display.isFrozen ? .doubtful : .bold)
  }

  private func footer(_ display: MonitorDisplay) -> Line {
    let views = MonitorDisplay.View.allCases.map { view in
      Line("\(view.rawValue) \(view.name)", view == display.view && !display.showsHelp ? .bold : .dim)
    }
    let rest = [Line("? keys", .dim), Line("q quit", .dim), Line("space freeze", .dim)]
    // The keys that show the others stay longest.
    var kept = Array(rest.prefix(2))
    for line in views + rest.dropFirst(2) where (kept + [line]).reduce(-2, { $0 + $1.columns + 2 }) <= self.width {
      kept.insert(line, at: kept.count - 2)
    }
    let texts = kept.filter { $0.columns <= self.width }
    guard let first = texts.first, texts.reduce(-2, { $0 + $1.columns + 2 }) <= self.width else { return "" }
    return texts.dropFirst().reduce(first) { $0 + "  " + $1 }
  }

  private func help(_ display: MonitorDisplay, _ height: Int) -> [Line] {
    let lines = display.keys.map { key, meaning in
      Row(key, [meaning], importance: 1)
    }.lines(width: self.width, height: height, self.glyphs)
    return lines + Array(repeating: "", count: max(0, height - lines.count))
  }

  // MARK: The panels

  private func body(
    _ model: MonitorModel, _ display: MonitorDisplay, at moment: CodingMoment, height: Int
  ) -> [Line] {
    let isTwo = self.width >= Self.leastOfTwo
    let left = self.width >= Self.wide ? (self.width - Columns.gap) / 2 : self.width * 21 / 40
    let right = self.width - left - Columns.gap
    let parts = PanelMaker(model: model, moment: moment, format: display.format, glyphs: self.glyphs)
    switch display.view {
    case .all where isTwo:
      let events = self.width >= Self.wide
      let (one, other) = (
        [parts.fix(left), parts.power(left), parts.programs(left)] + (events ? [parts.events(left)] : []),
        [parts.sky(right), parts.regions(right), parts.track(right)] + (events ? [] : [parts.events(right)])
      )
      return self.columns([(one, left), (other, right)], height)
    case .all:
      let width = self.width
      return self.stack(
        [
          parts.fix(width), parts.power(width), parts.programs(width), parts.sky(width), parts.regions(width),
          parts.events(width), parts.track(width),
        ], width, height)
    case .sky where isTwo:
      return self.columns([([parts.sky(left)], left), ([parts.satellites(right)], right)], height)
    case .sky: return self.stack([parts.sky(self.width), parts.satellites(self.width)], self.width, height)
    case .power: return self.stack([parts.power(self.width), parts.programs(self.width)], self.width, height)
    case .programs: return self.stack([parts.programs(self.width), parts.regions(self.width)], self.width, height)
    case .events: return self.stack([parts.events(self.width)], self.width, height)
    }
  }

  private func columns(_ columns: [(panels: [Panel], width: Int)], _ height: Int) -> [Line] {
    Columns.lines(columns.map { self.stack($0.panels, $0.width, height) })
  }

  private func stack(_ panels: [Panel], _ width: Int, _ height: Int) -> [Line] {
    Stack.lines(panels, width: width, height: height, isTitled: self.height >= Self.leastTitled, self.glyphs)
  }
}

/// Makes the panels of a picture.
private struct PanelMaker {
  let model: MonitorModel
  let moment: CodingMoment
  let format: PositionFormat
  let glyphs: Glyphs

  func fix(_ width: Int) -> Panel {
    FixPanel.panel(self.model, now: self.moment.now, in: self.format, width: width, self.glyphs)
  }
  func power(_ width: Int) -> Panel { PowerPanel.panel(self.model, at: self.moment, width: width, self.glyphs) }
  func programs(_ width: Int) -> Panel {
    ProgramsPanel.panel(self.model, at: self.moment, in: self.format, width: width, self.glyphs)
  }
  func sky(_ width: Int) -> Panel { SkyPanel.panel(self.model, now: self.moment.now, width: width, self.glyphs) }
  func satellites(_ width: Int) -> Panel { SatellitesPanel.panel(self.model, width: width, self.glyphs) }
  func regions(_ width: Int) -> Panel {
    RegionsPanel.panel(self.model, at: self.moment, in: self.format, width: width, self.glyphs)
  }
  func track(_ width: Int) -> Panel { TrackPanel.panel(self.model, in: self.format, width: width, self.glyphs) }
  func events(_ width: Int) -> Panel { EventsPanel.panel(self.model, width: width, self.glyphs) }
}
