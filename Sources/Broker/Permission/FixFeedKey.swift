/// Which fixes a client gets to see: all of them, or those that its rule leaves over. Everything that is judged for a
/// client is judged by the fixes of its feed alone.
package struct FixFeedKey: Hashable, Comparable, Sendable {
  package var precision: Precision
  /// The least time between two fixes; zero: all of them.
  package var minInterval: Duration

  package init(precision: Precision, minInterval: Duration = .zero) {
    self.precision = precision
    self.minInterval = minInterval
  }

  package static let everything = FixFeedKey(precision: .precise)

  /// Whether fixes come into it now and then only.
  var isSampled: Bool { self.precision == .reduced || self.minInterval > .zero }

  package static func < (left: FixFeedKey, right: FixFeedKey) -> Bool {
    (left.precision, left.minInterval) < (right.precision, right.minInterval)
  }
}
