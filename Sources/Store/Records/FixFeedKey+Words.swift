import Broker
import Positioning

extension FixFeedKey {
  /// The stored form: the precision, and the least interval in seconds if there is one ("reduced", "precise 60").
  var words: String {
    let name = self.precision.rawValue
    return self.minInterval > .zero ? "\(name) \(self.minInterval.decimalSeconds)" : name
  }

  /// `nil` if the text does not have that form.
  init?(words: String) {
    let parts = words.split(separator: " ", omittingEmptySubsequences: false)
    guard let first = parts.first, let precision = Precision(rawValue: String(first)), parts.count <= 2 else {
      return nil
    }
    guard parts.count == 2 else {
      self.init(precision: precision)
      return
    }
    guard let interval = Duration(decimalSeconds: parts[1]), interval > .zero else { return nil }
    self.init(precision: precision, minInterval: interval)
  }
}

extension Duration {
  private static let digits = 18

  /// The exact duration in seconds with decimals; it is not negative.
  fileprivate var decimalSeconds: String {
    let (seconds, attoseconds) = self.components
    guard attoseconds > 0 else { return "\(seconds)" }
    var fraction = "\(attoseconds)"
    fraction = String(repeating: "0", count: Self.digits - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return "\(seconds).\(fraction)"
  }

  fileprivate init?(decimalSeconds text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let seconds = parts.first.flatMap({ Int64($0) })
    else { return nil }
    let fraction = parts.count == 2 ? parts[1] : "0"
    guard fraction.utf8.count <= Self.digits,
      let attoseconds = Int64(fraction + String(repeating: "0", count: Self.digits - fraction.utf8.count))
    else { return nil }
    self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }
}
