import PositionProtocol
import Positioning

/// Updates of a position subscription as people read them.
enum UpdateFormat {
  /// The fix, if there is one, and what else the update says; nothing where it says nothing new.
  static func lines(_ update: PositionUpdateNotification) -> [String] {
    var lines: [String] = []
    if let reason = update.reason {
      lines.append("-- \(Escaping.escaped(reason.rawValue)): \(update.availability.words)")
    } else if update.fix == nil {
      lines.append("-- \(update.availability.rawValue): \(update.availability.words)")
    }
    if let dropped = update.dropped { lines.append("-- \(dropped.counted("update", "updates")) passed over") }
    if let fix = update.fix {
      var line = FixFormat.line(fix, level: update.achievedAccuracy)
      if update.isReplay { line += " (from before)" }
      if update.isRepeat { line += " (told again)" }
      lines.append(line)
    }
    return lines
  }
}
