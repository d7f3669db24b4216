package import Positioning

/// The fixes that a client gets: all, or those that its rule allows. Everything that is judged for a client is judged
/// only by the fixes of its feed.
package struct FixFeedKey: Hashable, Comparable, Sendable {
  package var precision: Precision
  /// The least time between two fixes; zero: no limit.
  package var minInterval: Duration

  package init(precision: Precision, minInterval: Duration = .zero) {
    self.precision = precision
    self.minInterval = minInterval
  }

  package static let everything = FixFeedKey(precision: .precise)

  /// Hashes only the precision, since there are few feeds, and each answer looks one up. It hashes a truth value, because
  /// the precision itself would be hashed as a string.
  package func hash(into hasher: inout Hasher) { hasher.combine(self.precision == .precise) }

  /// Whether it publishes only some of the fixes.
  var isSampled: Bool { self.precision == .reduced || self.minInterval > .zero }

  package static func < (left: FixFeedKey, right: FixFeedKey) -> Bool {
    (left.precision, left.minInterval) < (right.precision, right.minInterval)
  }
}

extension FixFeedKey {
  /// The least time between two fixes of the feed.
  var interval: Duration {
    self.precision == .reduced ? max(self.minInterval, LocationFuzzer.interval) : self.minInterval
  }
}

extension RegionGeometry {
  /// Metres: the smallest size of a region that can be judged by the reduced position.
  private static let smallestReduced: Double = 4000

  /// Whether it is large enough for the fixes of the feed.
  func fits(_ feed: FixFeedKey?) -> Bool { feed?.precision != .reduced || self.reach >= Self.smallestReduced }
}
