import Positioning
import Testing

@testable import EventLoop

/// When a loop notices that it did not run.
@Suite("Gaps")
struct GapTests {
  private static func moment(_ seconds: Double) -> Instant { Instant(sinceBoot: .seconds(seconds)) }

  /// A loop that began a turn at 100 s and waits from then on, on a machine that never slept.
  private static var waiting: GapDetector {
    var gaps = GapDetector()
    _ = gaps.woke(now: self.moment(100), monotonic: .seconds(100)) { nil }
    gaps.waits(now: self.moment(100))
    return gaps
  }

  /// - Parameter slept: How long the machine sleeps meanwhile.
  private static func gap(wakingAt seconds: Double, slept: Double = 0, armed: Double?) -> Duration? {
    var gaps = self.waiting
    return gaps.woke(now: self.moment(seconds), monotonic: .seconds(seconds - slept)) { armed.map { self.moment($0) } }
  }

  @Test("Without an armed timer, or before it is due, a long wait is no gap")
  func idle() {
    #expect(Self.gap(wakingAt: 100_000, armed: nil) == nil)
    #expect(Self.gap(wakingAt: 399, armed: 400) == nil)
  }

  @Test("A timer that is late as on a busy machine shows no gap, and one that is much later does, from when it was due")
  func late() {
    #expect(Self.gap(wakingAt: 410, armed: 400) == nil)
    #expect(Self.gap(wakingAt: 428, armed: 108) == .seconds(320))
    #expect(Self.gap(wakingAt: 420, armed: 90) == .seconds(320), "it was due before the wait")
  }

  @Test("A sleep of the machine is a gap, whatever is armed, once")
  func sleep() {
    #expect(Self.gap(wakingAt: 500, slept: 320, armed: nil) == .seconds(320))
    #expect(Self.gap(wakingAt: 500, slept: 320, armed: 1000) == .seconds(320))
    #expect(Self.gap(wakingAt: 500, slept: 320, armed: 180) == .seconds(320), "and no second one by the late timer")
    #expect(Self.gap(wakingAt: 101, slept: 0.5, armed: nil) == nil)
    var gaps = Self.waiting
    #expect(gaps.woke(now: Self.moment(500), monotonic: .seconds(180)) { nil } == .seconds(320))
    gaps.waits(now: Self.moment(500))
    #expect(gaps.woke(now: Self.moment(600), monotonic: .seconds(280)) { nil } == nil)
  }

  @Test("A turn in which the process was stopped is a gap")
  func turn() {
    var gaps = GapDetector()
    _ = gaps.woke(now: Self.moment(100), monotonic: .seconds(100)) { nil }
    gaps.waits(now: Self.moment(420))
    #expect(gaps.woke(now: Self.moment(421), monotonic: .seconds(421)) { nil } == .seconds(320))
  }

  @Test("The loop knows the soonest of its armed timers")
  func soonest() throws {
    let loop = try EventLoop()
    var list = TimerList()
    #expect(list.soonest == nil)
    let sources = try (0..<3).map { _ in try EventSource.timer(on: loop, accuracy: 1) {} }
    for source in sources { list.add(source) }
    #expect(list.soonest == nil)
    sources[0].arm(at: 3_000_000)
    sources[1].arm(at: 2_000_000)
    #expect(list.soonest == Self.moment(2))
    sources[1].disable()
    #expect(list.soonest == Self.moment(3))
    sources[0].cancel()
    #expect(list.soonest == nil)
  }
}
