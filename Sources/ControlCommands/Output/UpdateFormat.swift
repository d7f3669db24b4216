import PositionProtocol
import Positioning

/// Updates of a position subscription as people read them.
enum UpdateFormat {
  /// The fix or the batch, if there is one, and what else the update says; nothing where it says nothing new.
  static func lines(_ update: PositionUpdateNotification) -> [String] {
    var lines = self.header(update).map { ["-- \($0)"] } ?? []
    if let dropped = update.dropped { lines.append("-- \(dropped.counted("fix", "fixes")) passed over") }
    if let fix = update.fix {
      var line = FixFormat.line(fix, level: update.achievedAccuracy)
      if update.isReplay { line += " (from before)" }
      if update.isRepeat { line += " (told again)" }
      lines.append(line)
    }
    return lines + (update.fixes ?? []).map { FixFormat.line($0, level: nil) }
  }

  /// Why it comes; `nil` where the fix alone says it all.
  private static func header(_ update: PositionUpdateNotification) -> String? {
    if update.state == .suspended { return "suspended: permission is withdrawn; it goes on when it is given again" }
    guard let reason = update.reason else {
      if update.fix != nil || update.fixes != nil { return nil }
      return "\(update.availability.rawValue): \(update.availability.words)"
    }
    let words = update.fixes.map { self.batch($0) } ?? reason.words ?? update.availability.words
    return "\(reason.rawValue): \(words)"
  }

  /// `a batch of 12 fixes, 55 s long`.
  private static func batch(_ fixes: [FixObject]) -> String {
    var text = "a batch of \(fixes.count.counted("fix", "fixes"))"
    if let first = fixes.first, let last = fixes.last, fixes.count > 1 {
      text += ", \(TimeSpan.words(last.arrival - first.arrival)) long"
    }
    return text
  }
}

extension DeliveryReason {
  /// What happened, in words that stand alone; `nil` where the availability says it.
  fileprivate var words: String? {
    switch self {
    case .paused: "nothing is delivered until it goes on"
    case .resumed: "it goes on"
    case .significantChange: "the device has moved; a better fix is looked for"
    case .acquiring: "a fix is looked for"
    case .acquired: "the fix that was looked for"
    case .acquisitionFailed: "no fix was good enough in time"
    default: nil  // A change of availability, and what a later daemon says.
    }
  }
}
