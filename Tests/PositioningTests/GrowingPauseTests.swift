import Positioning
import Testing

/// The pause between attempts.
@Suite struct GrowingPauseTests {
  @Test("Each pause is twice as long as the one before it, up to the longest")
  func pauses() {
    var pause = GrowingPause(first: .milliseconds(250), longest: .seconds(2))
    #expect(!pause.hasGrown)
    #expect((0..<100).map { _ in pause.take() }.prefix(5).map(\.seconds) == [0.25, 0.5, 1, 2, 2])
    #expect(pause.hasGrown && pause.next == .seconds(2))
    pause.reset()
    #expect(pause.next == .milliseconds(250))
    pause.skipToLongest()
    #expect(pause.take() == .seconds(2) && pause.take() == .seconds(2))
  }

  @Test("A random part keeps programs apart that retry at the same time")
  func random() {
    var pause = GrowingPause(first: .milliseconds(500), longest: .seconds(2), randomPart: 0.25)
    #expect(pause.next == .milliseconds(500) && pause.next(jitter: 0) == .milliseconds(375))
    #expect(pause.next(jitter: 0.5, atMost: .milliseconds(100)).seconds == 0.0875)
    #expect(pause.take(jitter: 0) == .milliseconds(375) && pause.take(jitter: 0) == .milliseconds(750))
  }
}
