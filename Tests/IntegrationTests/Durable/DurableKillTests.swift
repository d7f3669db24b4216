import EventLoop
import Glibc
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The daemon is killed at random moments during events: a real process, a real file.
@Suite("A killed daemon", .timeLimit(.minutes(TestDeadline.minutes))) struct DurableKillTests {
  static let killsOfEach = 50

  @Test(
    "keeps every answered registration and every event in order, and drops acknowledged events",
    arguments: 1...4 as ClosedRange<UInt64>)
  func kills(seed: UInt64) async throws {
    try await onOwnThread { try Self.run(seed) }
  }

  private static func run(_ seed: UInt64) throws {
    var settings = IntegrationFixture.Settings()
    // Faster than a car, so that a region is passed every second.
    settings.receiver.route = .circle(
      centre: Coordinate(latitude: 48.137, longitude: 11.575), radius: 500, speed: 100)
    settings.receiver.period = .milliseconds(100)
    let fixture = try IntegrationFixture(settings)
    var random = SeededRandom(seed: seed)
    var checker = DurableEventChecker(seed: seed &+ 100)
    try checker.register(try fixture.client())
    for kill in 1...Self.killsOfEach {
      let client = try fixture.client()
      let after = Duration.milliseconds(Int.random(in: 5...900, using: &random))
      try fixture.onLoop { try $0.killDaemon(after: after) }
      try checker.live(client) {
        try fixture.onLoop { $0.daemon == nil }
      } diesSoon: {
        let deadline = monotonicSeconds() + TestDeadline.seconds
        while monotonicSeconds() < deadline { if try fixture.onLoop({ $0.daemon == nil }) { return true } }
        return false
      }
      try fixture.onLoop { try $0.startDaemon() }
      try fixture.waitForSocket()
      #expect(checker.registered.count >= 8, "kill \(kill)")
    }
    // A run without a kill delivers the events that still wait.
    let (events, acknowledged) = (checker.events.count, checker.acknowledged)
    print(
      "seed \(seed): \(Self.killsOfEach) kills, \(events) events, \(checker.redelivered) delivered again,"
        + " \(acknowledged) acknowledged, \(checker.registered.count) regions")
    #expect(events > 20)
    #expect(checker.redelivered > 0)
    #expect(acknowledged > 0)
  }
}
