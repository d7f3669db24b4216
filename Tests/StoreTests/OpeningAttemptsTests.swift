import Positioning
import Testing

@testable import Store

/// When a store that cannot be opened is tried again.
@Suite struct OpeningAttemptsTests {
  @Test("A store that cannot be opened is tried again after 1 s, then after twice as long each time, up to a minute")
  func pauses() {
    var attempts = OpeningAttempts()
    var now = at(100)
    let pauses = (0..<8).map { _ in
      let next = attempts.failed(now: now)
      defer { now = next }
      return (next - now).components.seconds
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
  }

  @Test("What several attempts say is news once")
  func news() {
    var attempts = OpeningAttempts()
    #expect(["busy", "busy", "full", "busy"].map { attempts.isNews($0) } == [true, false, true, false])
  }
}
