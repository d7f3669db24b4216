import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// The real daemon on a disk that stalls for a while.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct StalledDiskTests {
  private static func region(_ name: String) -> [String: JSONValue] {
    [
      "id": "home", "circle": ["latitude": 48.137, "longitude": 11.575, "radius": 150],
      "durable": ["name": .string(name)],
    ]
  }

  @Test func `changes that a stalled disk refused are not there, and a later answer outlives a kill`() async throws {
    try await withLoop { loop in
      let disk = try Preload("slow-disk.c", "SLOW_DISK")
      let fixture = try DaemonFixture(on: loop)
      let daemon = try fixture.startServing(environment: disk.environment)
      let client = try fixture.client()
      // Changes at the start are stored.
      #expect(try client.call("region.add", Self.region("before"))["state"] == "unknown")

      try disk.hold()
      let waiting = try client.request("region.add", Self.region("waiting"))
      _ = try client.call("status.get")
      // It has waited for the maximum time, so the next is refused at once.
      #expect(try client.reply(to: waiting)["error"]?["code"] == -32603)
      let refused = try client.reply(to: try client.request("region.add", Self.region("tracker")))["error"]
      #expect(refused?["code"] == -32603, "\(refused ?? .null)")
      #expect(refused?["message"]?.text?.contains("the disk has taken nothing for 30 s") == true, "\(refused ?? .null)")
      let names = try client.call("durable.list")["names"]?.elements ?? []
      #expect(names.map { $0["durable"] } == ["before", "waiting"], "\(names)")

      try disk.release()
      var again = try client.reply(to: try client.request("region.add", Self.region("tracker")))
      while again["error"] != nil {
        // The disk must store the rest first.
        again = try client.reply(to: try client.request("region.add", Self.region("tracker")))
      }
      #expect(again["result"]?["state"] == "unknown")
      daemon.send(SIGKILL)
      _ = try daemon.waitForExit()

      let next = try fixture.startServing()
      defer { withExtendedLifetime(next) {} }
      let kept = try fixture.client().call("durable.list")["names"]?.elements ?? []
      #expect(kept.map { $0["durable"] } == ["before", "tracker", "waiting"], "\(kept)")
      #expect(kept.allSatisfy { $0["regions"]?.elements.map { $0["id"] } == ["home"] }, "\(kept)")
    }
  }
}
