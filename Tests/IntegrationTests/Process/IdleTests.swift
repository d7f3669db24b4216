import EventLoop
import JSONRPC
import TestSupport
import Testing

/// The cost of an idle daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct IdleTests {
  @Test func `once released it holds no connection to gpsd and never wakes up`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let daemon = ProcessFacts(pid: try #require(try fixture.onLoop { $0.daemon?.pid }))
      let client = try fixture.client()
      _ = try client.call("status.get")
      #expect(try daemon.tcpSockets() == 0)

      let id = try client.request("position.get", ["accuracy": 50, "timeout": 30])
      // The daemon reads one message after the other.
      #expect(try client.call("status.get")["demand"] != nil)
      #expect(try daemon.tcpSockets() == 1)
      #expect(try client.reply(to: id)["result"]?["status"] == "success")
      #expect(
        !fixture.log.contains("48.1") && !fixture.log.contains("11.5"), "no coordinates in the log: \(fixture.log)")

      _ = try client.call("status.subscribe")
      while try client.call("status.get")["power"]?["state"] != "released" {
        _ = try client.notification("status.update")
      }
      #expect(try daemon.tcpSockets() == 0)
      // The loop's thread, and the store's, which sleeps until there is something to store.
      #expect(try daemon.threads() == 2)
      // The consequences of the release itself take a moment; the probe that verifies it is 70 s away.
      _ = try client.everything(for: 0.3)
      let before = try daemon.wakeUps()
      #expect(try client.everything(for: 2) == [])
      #expect(try daemon.wakeUps() == before)
      // The kernel's count works: it rises when the daemon waits again.
      _ = try client.call("status.get")
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while try daemon.wakeUps() == before {
        try #require(monotonicSeconds() < deadline, "it was woken and that was not counted")
        _ = try client.everything(for: 0.02)
      }
    }
  }

  @Test func `with nothing due it keeps a fraction of its code mapped, and serves when it is needed`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let daemon = ProcessFacts(pid: try #require(try fixture.onLoop { $0.daemon?.pid }))
      let client = try fixture.client()
      #expect(try client.call("position.get", ["accuracy": 50, "timeout": 30])["status"] == "success")
      let used = try daemon.residentCode()
      let deadline = monotonicSeconds() + TestDeadline.seconds
      // Ten seconds after the last fix the file of users in whose name positions are used is written for the last time.
      var left = used
      while left > used / 2 {
        try #require(monotonicSeconds() < deadline, "\(left) of \(used) bytes are mapped")
        _ = try client.everything(for: 0.1)
        left = try daemon.residentCode()
      }
      #expect(try client.call("position.last")["fix"] != nil)
    }
  }
}
