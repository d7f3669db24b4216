/// A pause between attempts: each is twice as long as the one before it, up to the longest.
package struct GrowingPause: Hashable, Sendable {
  /// More doublings make no pause longer.
  private static let most = 32

  private let first: Duration
  private let longest: Duration
  private var doublings = 0

  package init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = longest
  }

  /// The next pause.
  package var next: Duration { min(self.first * (1 << self.doublings), self.longest) }

  /// Whether a pause was taken since the last success.
  package var hasGrown: Bool { self.doublings > 0 }

  /// Returns the next pause; the one after it is twice as long.
  @discardableResult
  package mutating func take() -> Duration {
    defer { self.doublings = min(self.doublings + 1, Self.most) }
    return self.next
  }

  /// An attempt succeeded: the next pause is the first again.
  package mutating func reset() { self.doublings = 0 }

  /// The error will last: the next pause is the longest.
  package mutating func skipToLongest() { self.doublings = Self.most }
}
