/// A pause between attempts: each is twice as long as the one before it, up to the longest.
///
/// If many programs retry at the same time, a random part of each pause keeps them apart.
package struct GrowingPause: Hashable, Sendable {
  /// More doublings make no pause longer.
  private static let most = 32

  private let first: Duration
  private let longest: Duration
  /// The part of a pause that is random, from 0 to 1.
  private let randomPart: Double
  private var doublings = 0

  package init(first: Duration, longest: Duration, randomPart: Double = 0) {
    self.first = first
    self.longest = longest
    self.randomPart = randomPart
  }

  /// The next pause.
  package var next: Duration { self.next(jitter: 1) }

  /// The next pause.
  ///
  /// - Parameters:
  ///   - jitter: From 0 for the shortest to 1 for the longest that it may be, different each time.
  ///   - limit: However often it was doubled, it is no longer than this.
  package func next(jitter: Double, atMost limit: Duration? = nil) -> Duration {
    let whole = min(self.first * (1 << self.doublings), limit ?? self.longest, self.longest)
    return self.randomPart == 0 ? whole : whole * (1 - self.randomPart * (1 - jitter))
  }

  /// Whether a pause was taken since the last success.
  package var hasGrown: Bool { self.doublings > 0 }

  /// Returns the next pause; the one after it is twice as long.
  @discardableResult
  package mutating func take(jitter: Double = 1) -> Duration {
    defer { self.doublings = min(self.doublings + 1, Self.most) }
    return self.next(jitter: jitter)
  }

  /// An attempt succeeded: the next pause is the first again.
  package mutating func reset() { self.doublings = 0 }

  /// The error will last: the next pause is the longest.
  package mutating func skipToLongest() { self.doublings = Self.most }
}
