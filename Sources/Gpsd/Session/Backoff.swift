/// How long to wait before the next try: from half a second, doubling to half a minute, and never in step with others.
struct Backoff: Sendable {
  static let first: Duration = .milliseconds(500)
  static let longest: Duration = .seconds(30)

  private var next = Self.first
  private var seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
  }

  /// The delay of the next try: between three quarters of the step and the whole of it.
  mutating func delay() -> Duration {
    let step = self.next
    self.next = min(step * 2, Self.longest)
    // A linear congruence is random enough to keep programs apart; its high bits are the good ones.
    self.seed = self.seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let fraction = Double(self.seed >> 40) / Double(1 << 24)
    return step * (0.75 + 0.25 * fraction)
  }

  /// All is well: a break after this is tried again at once.
  mutating func reset() {
    self.next = Self.first
  }

  /// Nothing gets better soon.
  mutating func skipToLongest() {
    self.next = Self.longest
  }
}
