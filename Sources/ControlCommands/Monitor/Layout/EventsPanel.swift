/// The last events, the newest first.
enum EventsPanel {
  static func panel(_ model: MonitorModel, width: Int, _ glyphs: Glyphs) -> Panel {
    let events = model.events.list
    return Panel("Events", importance: 6, least: 2, wanted: max(1, events.count) * 2) { height in
      guard !events.isEmpty else { return ["nothing has changed yet"] }
      var lines: [Line] = []
      for event in events {
        let indent = String(repeating: " ", count: 9)
        let texts = Wrapping.lines(
          glyphs.text(event.change.text), width: width - indent.count, limit: 2, glyphs)
        // An event that does not fit goes as a whole.
        guard lines.count + texts.count <= height else { break }
        for (place, text) in texts.enumerated() {
          lines.append(Line(place == 0 ? "\(event.time.clock) " : indent, .dim) + Line(text, event.change.emphasis))
        }
      }
      return lines
    }
  }
}
