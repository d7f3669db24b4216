import Positioning

/// Finds the time in which a loop did not run though it should have: the machine slept, the process was stopped, or
/// nothing got the processor.
///
/// It compares when the loop had to run at the latest with when it does. A sleep of the machine shows by itself: in it
/// the clock since boot runs, and the monotonic one stands still.
struct GapDetector: Hashable, Sendable {
  /// A shorter sleep is none: the two clocks are not read at one moment.
  static let shortestSleep: Duration = .seconds(1)
  /// A busy machine delays a turn by less. It is far more than timers may be late by their accuracy.
  static let longestDelay: Duration = .seconds(10)

  /// How much later the clock since boot shows than the monotonic one: how long the machine has slept.
  private var slept: Duration?
  /// When the loop last began a turn, and when it began to wait after it.
  private var began: Instant?
  private var waitsSince: Instant?

  init() {}

  /// The loop begins to wait.
  mutating func waits(now: Instant) { self.waitsSince = now }

  /// The loop has waited, and begins a turn.
  ///
  /// - Parameters:
  ///   - monotonic: The monotonic clock at that moment.
  ///   - soonest: The soonest moment for which a timer was armed. Asked only after a wait that was long.
  /// - Returns: How long it did not run; `nil`: it did.
  mutating func woke(now: Instant, monotonic: Duration, soonest: () -> Instant?) -> Duration? {
    let slept = now.sinceBoot - monotonic
    defer {
      self.slept = slept
      self.began = now
      self.waitsSince = nil
    }
    guard let began else { return nil }
    let waitsSince = self.waitsSince ?? now
    // A turn that took so long was no work.
    var missed = waitsSince - began > Self.longestDelay ? waitsSince - began : .zero
    if now - waitsSince > Self.longestDelay, let soonest = soonest() {
      let late = now - max(soonest, waitsSince)
      if late > Self.longestDelay { missed += late }
    }
    let asleep = self.slept.map { slept - $0 } ?? .zero
    if asleep >= Self.shortestSleep { missed = max(missed, asleep) }
    return missed > .zero ? missed : nil
  }
}
