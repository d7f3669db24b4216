import PositionProtocol
import Positioning
import Printable

/// The text form of durable names.
enum DurableFormat {
  /// One line: what is registered, how many events wait, whether a program is attached.
  static func line(_ name: DurableInfo) -> String {
    var registered: [String] = []
    let regions = name.regions.count.plus(name.regionsOmitted)
    if regions > 0 { registered.append(regions.counted("region", "regions")) }
    if let position = name.position { registered.append("\(position.mode.rawValue) positions") }
    if name.hasVisits { registered.append("visits") }
    var parts = [registered.isEmpty ? "nothing registered" : registered.joined(separator: ", ")]
    parts.append("\(name.waiting.counted("event", "events")) waiting" + self.newest(name))
    parts.append(name.isAttached ? "a program is attached" : "no program is attached")
    if let wake = name.wake {
      let error = name.wakeError.map { ", which failed: \($0)" } ?? ""
      parts.append("wakes \(wake)\(error)")
    }
    return "\(name.name): \(parts.joined(separator: "; "))"
  }

  private static func newest(_ name: DurableInfo) -> String {
    name.lastEvent > 0 ? ", newest #\(name.lastEvent)" : ""
  }
}
