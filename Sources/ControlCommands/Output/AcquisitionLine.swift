import PositionProtocol
import Positioning
import Printable

/// The progress line during a one-shot.
struct AcquisitionLine: Hashable {
  var satellitesSeen: Int?
  var satellitesUsed: Int?
  /// The accuracy of the newest fix so far, in metres.
  var accuracy: Double?
  /// Seconds until the timeout; `nil` if there is none.
  var remaining: Double?

  mutating func saw(_ sky: Sky?) {
    guard let sky else { return }
    self.satellitesSeen = sky.satellites.count
    self.satellitesUsed = sky.satellitesUsed
  }

  mutating func saw(_ update: PositionUpdate) {
    // Not its number of satellites, which is of another moment than the sky.
    if let fix = update.fix { self.accuracy = fix.horizontalAccuracy }
  }

  /// At most as long as the terminal is wide, so that it can be redrawn.
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
