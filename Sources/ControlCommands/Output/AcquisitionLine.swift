import PositionProtocol
import Positioning
import Printable

/// The progress line during a one-shot.
struct AcquisitionLine: Hashable {
  var satellitesSeen: Int?
  var satellitesUsed: Int?
  /// Metres, of the newest fix that came meanwhile.
  var accuracy: Double?
  /// Seconds until the timeout; `nil` where there is none.
  var remaining: Double?

  mutating func saw(_ sky: Sky?) {
    guard let sky else { return }
    self.satellitesSeen = sky.satellites.count
    self.satellitesUsed = sky.satellitesUsed
  }

  mutating func saw(_ update: PositionUpdate) {
    // Not the satellites it used: they are of another moment than the sky's, and would not go together.
    if let fix = update.fix { self.accuracy = fix.horizontalAccuracy }
  }

  /// No longer than the terminal is wide, so that it can be drawn over.
  func text(columns: Int) -> String {
    var parts: [String] = []
    if let seen = self.satellitesSeen {
      parts.append("\(seen.counted("satellite", "satellites")) seen, \(self.satellitesUsed ?? 0) used")
    } else {
      parts.append("waiting for the receiver")
    }
    if let accuracy = self.accuracy { parts.append("±\(accuracy.short) m so far") }
    if let remaining = self.remaining { parts.append("\(max(0, remaining).fixed(0)) s left") }
    return String(parts.joined(separator: "; ").prefix(max(0, columns - 1)))
  }
}
