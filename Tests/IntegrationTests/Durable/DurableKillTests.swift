import EventLoop
import Glibc
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The daemon is killed at random moments while events flow: a real process, a real file.
@Suite("A killed daemon", .timeLimit(.minutes(TestDeadline.minutes))) struct DurableKillTests {
  static let killsOfEach = 50

  @Test(
    "keeps every registration that it answered and every event in order, and forgets what was acknowledged",
    arguments: 1...4 as ClosedRange<UInt64>)
  func kills(seed: UInt64) async throws {
    try await onOwnThread { try Self.run(seed) }
  }

  private static func run(_ seed: UInt64) throws {
    var play = Stage.Play()
    // Faster than a car, so that regions come by every second.
    play.receiver.route = .circle(
      centre: Coordinate(latitude: 48.137, longitude: 11.575), radius: 500, speed: 100)
    play.receiver.period = .milliseconds(100)
    let stage = try Stage(play)
    var random = SeededRandom(seed: seed)
    var witness = Witness(seed: seed &+ 100)
    try witness.register(try stage.client())
    for kill in 1...Self.killsOfEach {
      let client = try stage.client()
      let after = Duration.milliseconds(Int.random(in: 5...900, using: &random))
      try stage.onLoop { try $0.killDaemon(after: after) }
      try witness.live(client) {
        try stage.onLoop { $0.daemonExit != nil }
      } diesSoon: {
        let deadline = monotonicSeconds() + TestDeadline.seconds
        while monotonicSeconds() < deadline { if try stage.onLoop({ $0.daemonExit != nil }) { return true } }
        return false
      }
      try stage.onLoop { try $0.startDaemon() }
      try stage.waitForSocket()
      #expect(witness.registered.count >= 8, "kill \(kill)")
    }
    // One life without an end brings what is still waiting.
    let (events, acknowledged) = (witness.events.count, witness.acknowledged)
    print(
      "seed \(seed): \(Self.killsOfEach) kills, \(events) events, \(witness.redelivered) told again,"
        + " \(acknowledged) acknowledged, \(witness.registered.count) regions")
    #expect(events > 20)
    #expect(witness.redelivered > 0)
    #expect(acknowledged > 0)
  }
}
