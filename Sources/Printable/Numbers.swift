/// Numbers as people read them.
extension Double {
  /// With so many decimals, rounded; up to 9.
  package func fixed(_ decimals: Int) -> String {
    guard self.isFinite else { return "unknown" }
    let scale = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9][decimals]
    let scaled = (self.magnitude * scale).rounded()
    guard scaled < 1e18 else { return "\(self)" }
    let whole = Int(scaled)
    let sign = self < 0 && whole > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let (integer, fraction) = whole.quotientAndRemainder(dividingBy: Int(scale))
    let digits = "\(fraction)"
    return "\(sign)\(integer)." + String(repeating: "0", count: decimals - digits.count) + digits
  }

  /// One decimal below ten, none from there on: no digit that means nothing.
  package var short: String { self.magnitude < 9.95 ? self.fixed(1) : self.fixed(0) }
}

/// Spans of time as people read them.
package enum TimeSpan {
  /// Seconds in words of one unit, such as `0.4 s`, `12 min` or `3 h`.
  package static func words(_ seconds: Double) -> String {
    switch seconds {
    case ..<9.95: "\(max(0, seconds).fixed(1)) s"
    case ..<119.5: "\(seconds.fixed(0)) s"
    case ..<7170: "\((seconds / 60).fixed(0)) min"
    case ..<172_000: "\((seconds / 3600).fixed(0)) h"
    default: "\((seconds / 86400).fixed(0)) days"
    }
  }
}

extension Int {
  /// The number and its noun.
  package func counted(_ singular: String, _ plural: String) -> String { "\(self) \(self == 1 ? singular : plural)" }
}

extension String {
  /// Filled with spaces on the right up to so many characters.
  package func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - self.count)) }

  /// The text in lines of at most so many characters, broken at spaces; a longer word has a line of its own. A number stays
  /// with its unit.
  package func broken(into width: Int) -> [String] {
    var words: [String] = []
    for word in self.split(separator: " ", omittingEmptySubsequences: false) {
      if let last = words.last, last.last?.isNumber == true, word.first?.isNumber == false, word.count <= 4 {
        words[words.count - 1] = "\(last) \(word)"
      } else {
        words.append(String(word))
      }
    }
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines.isEmpty ? [self] : lines
  }

  /// Filled with spaces on the left.
  package func aligned(_ width: Int) -> String { String(repeating: " ", count: max(0, width - self.count)) + self }
}
