import Notations
import PositionProtocol
import Positioning
import Printable

/// The text form of fixes.
enum FixFormat {
  /// One line, such as `48.137154 N, 11.576124 E ±11 m (house), 3D, 9 satellites, 545 m, 1.2 m/s, course 271°, 0.4 s ago`.
  static func line(
    _ fix: Fix, level: AccuracyLevel?, now: Instant, in format: PositionFormat = PositionFormat()
  ) -> String {
    let accuracy = format.accuracy(fix.horizontalAccuracy) + (level.map { " (\($0.rawValue))" } ?? "")
    var parts = ["\(format.place(fix)) \(accuracy)", self.kind(fix)]
    if fix.isReduced { parts.append("precision reduced") }
    if let doubt = fix.integrity?.doubt(fix.integrityReasons) { parts.append(doubt) }
    if let used = fix.satellitesUsed { parts.append(used.counted("satellite", "satellites")) }
    if let altitude = fix.altitude { parts.append(format.altitude(altitude)) }
    if let speed = fix.speed { parts.append(format.speed(speed)) }
    if let course = fix.course { parts.append("course \(self.degrees(course))") }
    parts.append("\(TimeSpan.words(fix.age(at: now).seconds)) ago")
    return parts.joined(separator: ", ")
  }

  /// Whole degrees; 360 after rounding becomes 0.
  static func degrees(_ angle: Double) -> String {
    let whole = angle.fixed(0)
    return whole == "360" ? "0°" : "\(whole)°"
  }

  /// Such as `3D DGNSS`.
  static func kind(_ fix: Fix) -> String {
    let mode =
      switch fix.mode {
      case .twoDimensional: "2D"
      case .threeDimensional: "3D"
      }
    let status: String? =
      switch fix.status {
      case .gnss: nil
      case .dgnss: "DGNSS"
      case .rtkFixed: "RTK fixed"
      case .rtkFloat: "RTK float"
      case .deadReckoning: "dead reckoning"
      case .combined: "GNSS and dead reckoning"
      case .surveyed: "surveyed"
      case .simulated: "simulated"
      }
    return status.map { "\(mode) \($0)" } ?? mode
  }
}

extension Integrity {
  /// What speaks against the fixes, in words; `nil` if nothing does.
  func doubt(_ reasons: IntegrityReasons) -> String? {
    let why = reasons.isEmpty ? "" : ": \(reasons.text)"
    return switch self {
    case .trusted: nil
    case .suspect: "suspect\(why)"
    case .untrusted: "not to be trusted\(why)"
    }
  }
}

extension Availability {
  /// Its meaning, or the daemon's detail if it has one for a fault of the receiver or gpsd.
  func text(detail: String?) -> String {
    switch self {
    case .receiverMissing, .gpsdFull, .gpsdDown: detail ?? self.text
    case .available, .untrusted, .searching, .stale, .lost, .accuracyLimited, .poweredDown, .denied, .unknown:
      detail.map { "\(self.text); \($0)" } ?? self.text
    }
  }

  /// Its meaning for people.
  var text: String {
    switch self {
    case .available: "fix available"
    case .untrusted: "there is a fix that cannot be trusted"
    case .searching: "searching, no fix yet"
    case .stale: "the newest fix is too old"
    case .lost: "the fix was lost"
    case .accuracyLimited: "permission limits the accuracy"
    case .poweredDown: "the receiver is not in use"
    case .receiverMissing: "no receiver, or it sends nothing"
    case .gpsdFull: "gpsd accepts no more clients"
    case .gpsdDown: "gpsd cannot be reached"
    case .denied: "permission denied"
    case .unknown: "unknown to this version of positionctl"
    }
  }
}

extension AccuracySource {
  /// The text after "accuracy".
  var text: String {
    switch self {
    case .standardDeviations: "from the receiver's standard deviations"
    case .earlierDeviations: "from the receiver's earlier standard deviations"
    case .receiver: "from the receiver's estimate"
    case .nominal95: "from gpsd's estimate"
    case .dilution: "from HDOP and error-per-hdop"
    case .assumed: "assumed"
    case .vague: "unknown to the receiver"
    }
  }
}
