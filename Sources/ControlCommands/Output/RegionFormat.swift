import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// The text form of regions and their events.
enum RegionFormat {
  /// One line, such as `tracker home: inside for 3 min; 150 m around 48.137000 N, 11.575000 E; reports enter, exit`.
  static func line(_ watched: RegionInfo, of name: String, moment: CodingMoment) -> String {
    let since = watched.since.map { " \(TimeSpan.since($0, moment))" } ?? ""
    var parts = [watched.state.text + since, self.shape(watched.region)]
    let notify = RegionEventKind.onDemand.filter { watched.region.notify.contains($0) }
    parts.append("reports " + (notify.isEmpty ? "nothing" : notify.map(\.rawValue).joined(separator: ", ")))
    if let remaining = watched.remaining { parts.append("expires in \(TimeSpan.words(remaining.seconds))") }
    return "\(name) \(watched.region.id): \(parts.joined(separator: "; "))"
  }

  /// An event, such as `entered "home" (97 % sure): 48.137154 N, ...`, or the state in which the region began, such as
  /// `at first outside "home"`.
  static func line(_ event: RegionEvent, now: Instant) -> String {
    var text =
      event.isInitial ? "at first \(event.state.text) \"\(event.id)\"" : self.text(event.kind, of: "\"\(event.id)\"")
    if let inside = event.probability {
      let certainty = event.state == .outside ? 1 - inside : inside
      text += " (\((certainty * 100).fixed(0)) % sure)"
    }
    if event.isInferred { text += ", between two fixes" }
    return text + (event.fix.map { ": \(FixFormat.line($0, level: nil, now: now))" } ?? "")
  }

  private static func text(_ event: RegionEventKind, of region: String) -> String {
    switch event {
    case .enter: "entered \(region)"
    case .exit: "left \(region)"
    case .dwell: "stayed in \(region)"
    case .crossed: "crossed \(region)"
    case .expired: "\(region) expired"
    case .unknown: "\(region): an event unknown to this version of positionctl"
    }
  }

  private static func shape(_ region: Region) -> String {
    switch region.shape {
    case .circle(let center, let radius):
      "\(Distance.words(radius)) around \(FixFormat.place(center.latitude, center.longitude))"
    case .polygon(let corners): "a polygon of \(corners.count.counted("corner", "corners"))"
    }
  }
}

extension RegionState {
  var text: String {
    switch self {
    case .unknown: "position not known yet"
    case .inside: "inside"
    case .outside: "outside"
    }
  }
}
