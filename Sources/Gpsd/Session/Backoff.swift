import Positioning

/// The delay before the next attempt: it starts at half a second and doubles up to half a minute, with jitter so that
/// programs do not retry at the same time.
struct Backoff: Sendable {
  private var pause = GrowingPause(first: .milliseconds(500), longest: .seconds(30))
  private var seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
  }

  /// The delay before the next attempt: between three quarters of the step and the whole step.
  mutating func delay() -> Duration {
    let step = self.pause.take()
    // A linear congruential generator is random enough for jitter; its high bits are the better ones.
    self.seed = self.seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let fraction = Double(self.seed >> 40) / Double(1 << 24)
    return step * (0.75 + 0.25 * fraction)
  }

  /// The connection works: after the next failure the delays start again with the shortest.
  mutating func reset() { self.pause.reset() }

  /// The error will last: the next delay is the longest.
  mutating func skipToLongest() { self.pause.skipToLongest() }
}
