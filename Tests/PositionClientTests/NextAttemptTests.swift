import Positioning
import Testing

@testable import PositionClient

struct NextAttemptTests {
  private static let start = Instant(sinceBoot: .seconds(1000))

  /// In milliseconds, the waits of so many failed attempts, each made when it is due.
  private static func waits(
    _ count: Int, isAlone: Bool = false, jitter: Double, after reconnection: Reconnection = Reconnection()
  ) -> [Int] {
    var (reconnection, now) = (reconnection, Self.start)
    return (0..<count).map { _ in
      reconnection.failed(now: now, isAlone: isAlone, jitter: jitter)
      defer { now = reconnection.nextAttempt }
      return Int(((reconnection.nextAttempt - now).seconds * 1000).rounded())
    }
  }

  @Test("Each attempt waits longer, from 0.1 s to 10 s, and no two clients wait alike")
  func growth() {
    #expect(Self.waits(10, jitter: 0) == [100, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
    #expect(Self.waits(10, jitter: 1) == [200, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
  }

  @Test("Without a listener a daemon that returns is noticed within 2 s, however long it was away")
  func alone() {
    #expect(Self.waits(8, isAlone: true, jitter: 0) == [100, 100, 200, 400, 800, 1000, 1000, 1000])
    #expect(Self.waits(1000, isAlone: true, jitter: 1).max() == 2000)
  }

  @Test("A connection that was established is tried again at once")
  func atOnce() {
    var reconnection = Reconnection()
    reconnection.established(now: Self.start - .seconds(1))
    #expect(Self.waits(3, jitter: 0, after: reconnection) == [0, 100, 200])
  }

  @Test("One that is lost again and again is not tried at once for ever; one that lasts is")
  func flapping() {
    var (reconnection, now) = (Reconnection(), Self.start)
    var waits: [Duration] = []
    for lasting in [1, 1, 1, 1, 11] {
      reconnection.established(now: now)
      now = now + .seconds(lasting)
      reconnection.failed(now: now, isAlone: false, jitter: 0)
      waits.append(reconnection.nextAttempt - now)
      now = reconnection.nextAttempt
    }
    #expect(waits == [.zero, .milliseconds(100), .milliseconds(200), .milliseconds(400), .zero])
  }
}
