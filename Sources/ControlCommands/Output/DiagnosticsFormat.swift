import PositionProtocol
import Positioning
import Printable

/// The text form of diagnostics: why there is no better fix.
enum DiagnosticsFormat {
  static func line(_ diagnostics: Diagnostics) -> String {
    var parts = [diagnostics.availability.text(detail: self.detail(diagnostics))]
    if let seen = diagnostics.satellitesSeen {
      let used = diagnostics.satellitesUsed.map { ", \($0) used" } ?? ""
      parts.append("\(seen.counted("satellite", "satellites")) seen\(used)")
    }
    if let age = diagnostics.lastFixAge { parts.append("newest fix \(TimeSpan.words(age.seconds)) ago") }
    return parts.joined(separator: "; ")
  }

  /// A search without a fix is interrupted by pauses, in which the connection to gpsd says nothing about it.
  private static func detail(_ diagnostics: Diagnostics) -> String? {
    guard diagnostics.availability == .searching else { return diagnostics.detail }
    switch diagnostics.power {
    case .released, .off, .turningOff: return "the receiver rests until the next attempt"
    case .on, .turningOn, .unknown: return diagnostics.detail
    }
  }

  /// What the user can do; `nil` if waiting is all.
  static func advice(_ diagnostics: Diagnostics) -> String? {
    if let problem = diagnostics.problem { return problem.advice }
    return switch diagnostics.availability {
    case .searching, .lost: "give the receiver a free view of the sky; after a long time off it needs minutes"
    case .receiverMissing, .gpsdFull, .gpsdDown: "run \"positionctl doctor\" to find the cause"
    case .available, .stale, .accuracyLimited, .poweredDown, .denied, .unknown: nil
    }
  }
}
