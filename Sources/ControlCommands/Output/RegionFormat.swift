import FoundationEssentials
import PositionProtocol
import Positioning

/// Regions, and what happens with them, as people read it.
enum RegionFormat {
  /// One line, such as `tracker home: the device is inside, for 3 min; 150 m around 48.137000 N, 11.575000 E; tells enter
  /// and exit`.
  static func line(_ watched: WatchedRegionObject, of name: String, now: Date) -> String {
    let since = watched.since.map { ", \(TimeSpan.since($0, now))" } ?? ""
    var parts = [watched.state.words + since, self.shape(watched.region)]
    let notify = watched.region.notify ?? []
    parts.append("tells " + (notify.isEmpty ? "nothing" : notify.map(\.rawValue).joined(separator: ", ")))
    if let remaining = watched.remaining { parts.append("ends in \(TimeSpan.words(remaining))") }
    return "\(name) \(watched.region.id): \(parts.joined(separator: "; "))"
  }

  /// What happened, such as `home: enter, 97 % sure: 48.137154 N, ...`.
  static func line(_ event: RegionEventNotification) -> String {
    var text = "\(event.id): \(event.event.rawValue)"
    if let probability = event.probability { text += ", inside with \((probability * 100).fixed(0)) %" }
    if event.isInferred { text += ", between two fixes" }
    return text + (event.fix.map { ": \(FixFormat.line($0, level: nil))" } ?? "")
  }

  private static func shape(_ region: RegionObject) -> String {
    if let circle = region.circle {
      return "\(Distance.words(circle.radius)) around \(FixFormat.place(circle.latitude, circle.longitude))"
    }
    return "a polygon of \((region.polygon?.count ?? 0).counted("corner", "corners"))"
  }
}

extension RegionState {
  var words: String {
    switch self {
    case .unknown: "where the device is, is not known yet"
    case .inside: "the device is inside"
    case .outside: "the device is outside"
    }
  }
}
