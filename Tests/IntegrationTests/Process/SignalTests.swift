import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// The effects of SIGHUP and SIGTERM.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct SignalTests {
  @Test func `a reload takes effect and is logged`() async throws {
    try await withLoop { loop in
      let gpsd = try TCPSocket.listenOnLoopback()
      let fixture = try DaemonFixture(on: loop, gpsd: gpsd)
      let daemon = try fixture.startServing()
      try fixture.configure(
        ["receiver.linger=20s", "log.level=warning", "server.max-requests-per-client=1"],
        socket: fixture.file("other.sock"))
      daemon.send(SIGHUP)
      let log = try daemon.waitToSay("level in [log]: info -> warning")
      #expect(log.contains("notice: linger in [receiver]: 0s -> 20s\n"), "\(log)")
      #expect(
        log.contains(
          "socket in [server]: \(fixture.socket) -> \(fixture.file("other.sock")) (after a restart)\n"),
        "\(log)")

      // The old socket still serves; the new linger keeps the receiver on after the need; the new limit applies.
      let client = try fixture.client()
      let first = try client.request("position.get", ["timeout": 0.5])
      let second = try client.request("position.get", ["timeout": 0.5])
      #expect(try client.reply(to: second)["error"]?["code"] == -32007)
      #expect(try client.reply(to: first)["result"]?["status"] == "timedOut")
      #expect(try client.call("status.get")["power"]?["state"] != "released")

      // A change without an effect is not logged; an error is.
      try fixture.write("[receiver]\nlinger=9s\nlinger=10s\n[log]\nlevel=debug\n")
      daemon.send(SIGHUP)
      try daemon.waitToSay("error: \(fixture.configuration):3: ")
      try daemon.waitToSay("keeping the old one")
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
      #expect(!daemon.output.contains("9s"), "\(daemon.output)")
      #expect(!daemon.output.contains("info: stopping"), "\(daemon.output)")
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a waiting client is notified that the daemon stops, and nothing is left behind`(signal: Int32) async throws {
    try await withLoop { loop in
      let gpsd = try TCPSocket.listenOnLoopback()
      let fixture = try DaemonFixture(on: loop, gpsd: gpsd)
      let daemon = try fixture.startServing()
      let waiting = try fixture.client()
      let idle = try fixture.client()
      _ = try idle.call("status.get")
      let id = try waiting.request("position.get", ["timeout": 60])
      // gpsd gets a connection because of it.
      var conversation: FileDescriptor?
      let knock = try loop.watch(gpsd.descriptor, for: .read) { _ in
        do { conversation = try gpsd.accept() } catch { Issue.record(error) }
      }
      try loop.drive(until: "a connection to gpsd") { conversation != nil }
      knock.cancel()

      daemon.send(signal)
      #expect(try daemon.waitForExit() == 0)
      #expect(daemon.output.contains("info: all clients have disconnected\n"), "\(daemon.output)")
      #expect(unsafe access(fixture.socket, F_OK) != 0 && errno == ENOENT)

      let received = try waiting.untilClosed()
      try #require(received.count == 2, "\(received)")
      #expect(received[0]["id"] == .integer(id) && received[0]["error"]?["code"] == -32010)
      #expect(received[1]["method"] == "session.closing" && received[1]["params"]?["reason"] == "shuttingDown")
      let others = try idle.untilClosed()
      #expect(others.map { $0["params"]?["reason"] } == ["shuttingDown"], "\(others)")

      let socket = try #require(conversation)
      var asked: [UInt8] = []
      while case .bytes = try socket.read(into: &asked, upTo: 4096) {}
      #expect(try socket.read(into: &asked, upTo: 4096) == .endOfFile)
    }
  }

  @Test func `a client that reads nothing delays the end no longer than a second signal`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let daemon = try fixture.startServing()
      let deaf = try fixture.client()
      // More answers than the sockets hold, and none is read; the requests themselves fit into the socket.
      for _ in 0..<80 { try deaf.request("rpc.discover") }
      // One is 110 KB long, and there is no room for two: once the second has begun, the rest of it waits.
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while deaf.unreadBytes < 128 * 1024 {
        try #require(monotonicSeconds() < deadline, "\(deaf.unreadBytes) bytes were answered")
        try loop.drive(for: .milliseconds(20))
      }
      daemon.send(SIGTERM)
      try daemon.waitToSay("stopping")
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
      // The daemon did not wait for the client.
      #expect(!daemon.output.contains("all clients have disconnected"), "\(daemon.output)")
    }
  }
}
