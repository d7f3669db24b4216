import Broker
import JSONRPC
import Positioning
import Server
import TestSupport
import Testing

/// Clients that read too slowly, and their costs, which others do not notice.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct SlowClientTests {
  /// Fixes enough to fill the kernel's own buffers (some 200 KiB) and the queue several times over.
  private static let fixes = 3000

  private func limits() -> ServerLimits {
    var limits = ServerLimits()
    limits.maxOutbound = 16 * 1024
    return limits
  }

  /// Sends fixes of a device at walking pace, and waits until the last has been processed.
  private func send(_ server: LiveServer, _ other: LineClient) throws -> Double {
    var latitude = 48.0
    for _ in 0..<Self.fixes {
      latitude += 0.00001
      server.fix(latitude: latitude)
    }
    _ = try other.call("status.get")
    return latitude
  }

  @Test func `superseded fixes are dropped and counted, and the newest arrives`() async throws {
    try await onOwnThread {
      let server = try LiveServer(limits: self.limits())
      let (slow, other) = (try server.client(), try server.client())
      _ = try slow.call("position.subscribe", ["minInterval": 0])
      let newest = try self.send(server, other)
      var received = 0
      var dropped = 0
      while true {
        let update = try slow.notification("position.update")
        guard case .number(let latitude)? = update["fix"]?["latitude"] else { continue }
        received += 1
        if case .integer(let count)? = update["dropped"] { dropped += count }
        if abs(latitude - newest) < 1e-9 { break }
      }
      #expect(dropped > 0)
      let fixes = try other.call("status.get")["reports"]?["fixes"]
      #expect(fixes == .integer(received + dropped))
    }
  }

  @Test func `a client that reads no replies is not served until it does, and others are unaffected`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (hostile, other) = (try server.client(), try server.client())
      // Each description is some 90 KiB of reply, and never dropped.
      let ids = try (0..<40).map { _ in try hostile.request("rpc.discover") }
      #expect(try other.call("status.get")["clients"] == 2)
      for id in ids { #expect(try hostile.reply(to: id)["result"]?["openrpc"] != nil) }
    }
  }

  @Test func `a client with too many unread replies is notified and closed`() async throws {
    try await onOwnThread {
      var limits = self.limits()
      // However long this machine takes to let the client read.
      limits.drainTime = .seconds(60)
      let server = try LiveServer(limits: limits)
      let (hostile, other) = (try server.client(), try server.client())
      // Answered all together, when the kernel's buffers are full already.
      for _ in 0..<200 { try hostile.request("position.get") }
      for _ in 0..<40 { try hostile.request("rpc.discover") }
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while server.outboundBytes == 0, monotonicSeconds() < deadline {}
      server.fix(latitude: 48)
      let messages = try hostile.untilClosed()
      #expect(messages.last?["method"] == "session.closing")
      #expect(messages.last?["params"]?["reason"] == "tooSlow")
      #expect(try other.call("status.get")["clients"] == 1)
    }
  }

  @Test func `a slow client costs a quick one no fix`() async throws {
    try await onOwnThread {
      let server = try LiveServer(limits: self.limits())
      let (slow, quick, other) = (try server.client(), try server.client(), try server.client())
      _ = try slow.call("position.subscribe", ["minInterval": 0])
      _ = try quick.call("position.subscribe", ["minInterval": 0])
      var latitude = 48.0
      for _ in 0..<300 {
        latitude += 0.00001
        server.fix(latitude: latitude)
        var update = try quick.notification("position.update")
        if update["fix"] == nil { update = try quick.notification("position.update") }
        #expect(update["dropped"] == nil)
      }
      _ = try other.call("status.get")
    }
  }
}
