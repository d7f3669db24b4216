import EventLoop
import Glibc
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The receiver, gpsd and the daemon stand still together, as while the machine sleeps. Their time passes faster.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct GapTests {
  private static let gap: Duration = .seconds(320)

  @Test func `a subscription gets fixes at once after five minutes in which nothing ran`() async throws {
    try await withLoop { loop in
      let time = try FastTime(factor: 25)
      var settings = IntegrationFixture.Settings()
      settings.time = time
      let fixture = try IntegrationFixture(settings)
      let client = try fixture.client()
      _ = try client.call("position.subscribe", ["minInterval": 1, "replay": "none"])
      func nextFix() throws -> Double {
        while true {
          if let arrival = try client.notification("position.update")["fix"]?["arrival"]?.double { return arrival }
        }
      }
      var last = try nextFix()
      let stood = try fixture.standStill(for: Self.gap / 25, on: loop)
      let resumed = time.clock.time(at: stood.until).sinceBoot.seconds
      while last < resumed { last = try nextFix() }
      print("the next fix came after \(last - resumed) s")
      #expect(last - resumed < 150, "\(fixture.log)")
      let power = try client.call("status.get")["power"]
      // The time that passed before and after is much shorter than the gap.
      #expect(power?["onSeconds"]?.double ?? .infinity < Self.gap.seconds, "\(String(describing: power))")
      #expect(power?["starts"]?["total"] == 1)
    }
  }
}
