import PositionProtocol
import Positioning
import Printable

/// The text form of the updates of a position subscription.
enum UpdateFormat {
  /// The fix or the batch, if there is one, and the reason; empty if there is nothing new.
  static func lines(_ update: PositionUpdate, now: Instant) -> [String] {
    var lines = self.notice(update).map { ["-- \($0)"] } ?? []
    if update.dropped > 0 { lines.append("-- \(update.dropped.counted("fix", "fixes")) skipped") }
    if let fix = update.fix {
      var line = FixFormat.line(fix, level: update.achievedAccuracy, now: now)
      if update.isReplay { line += " (cached)" }
      if update.isRepeat { line += " (repeated)" }
      lines.append(line)
    }
    return lines + update.fixes.map { FixFormat.line($0, level: nil, now: now) }
  }

  /// The reason for the update; `nil` if the fix says everything.
  static func notice(_ update: PositionUpdate) -> String? {
    if update.state == .suspended {
      return "suspended: permission was withdrawn; delivery resumes when it is granted again"
    }
    guard let reason = update.reason else {
      if update.fix != nil || !update.fixes.isEmpty { return nil }
      return "\(update.availability.rawValue): \(update.availability.text)"
    }
    let batch = update.fixes.isEmpty ? nil : self.batch(update.fixes)
    let words = batch ?? reason.text ?? update.availability.text
    return "\(reason.rawValue): \(words)"
  }

  /// `batch of 12 fixes over 55 s`.
  private static func batch(_ fixes: [Fix]) -> String {
    var text = "batch of \(fixes.count.counted("fix", "fixes"))"
    if let first = fixes.first, let last = fixes.last, fixes.count > 1 {
      text += " over \(TimeSpan.words((last.arrival - first.arrival).seconds))"
    }
    return text
  }
}

extension DeliveryReason {
  /// The reason for people; `nil` if the availability says it.
  fileprivate var text: String? {
    switch self {
    case .paused: "delivery is paused"
    case .resumed: "delivery resumes"
    case .significantChange: "the device has moved; acquiring a better fix"
    case .acquiring: "acquiring a fix"
    case .acquired: "the acquired fix"
    case .acquisitionFailed: "no fix was accurate enough in time"
    case .expired: "its duration or its number of updates is reached"
    default: nil  // A change of availability, and reasons of a later daemon.
    }
  }
}
