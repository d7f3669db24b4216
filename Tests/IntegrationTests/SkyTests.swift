import JSONRPC
import TestSupport
import Testing

/// The satellites of a simulated receiver, through a real gpsd and the real daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct SkyTests {
  private static func systems(_ sky: JSONValue?) -> Set<String> {
    Set(sky?["satellites"]?.elements.compactMap { $0["constellation"]?.text } ?? [])
  }

  @Test(arguments: [0, 1])
  func `gpsd reports the sky twice in a cycle, first without Galileo, and no client gets that`(minInterval: Int)
    async throws
  {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let (client, beside) = (try fixture.client(), try fixture.client())
      _ = try client.call("sky.subscribe", ["minInterval": .integer(minInterval)])
      let whole: Set = ["gps", "glonass", "galileo"]
      for _ in 1...6 {
        let update = try client.notification("sky.update")
        #expect(Self.systems(update) == whole, "\(update)")
        let sky = try beside.call("sky.get")
        #expect(Self.systems(sky) == whole, "\(sky)")
      }
      withExtendedLifetime(fixture) {}
    }
  }
}
