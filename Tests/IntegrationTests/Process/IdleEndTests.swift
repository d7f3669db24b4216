import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// `exit-when-idle`, with a socket that outlives the daemon as systemd's does.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct IdleEndTests {
  private static let ending = "nothing needs positiond; the next connection starts it again"

  private static func activator(_ fixture: DaemonFixture, on loop: EventLoop) throws -> RunningProgram {
    try fixture.configure(["server.exit-when-idle=10s"])
    let activator = try RunningProgram(
      "/usr/bin/env",
      [
        "python3", "\(PackageRoot.path)/Tests/IntegrationTests/Programs/activator.py", fixture.socket,
        Programs.path("positiond"), "--config", fixture.configuration,
      ], on: loop)
    try activator.waitToSay("listening")
    return activator
  }

  private static func starts(_ output: String) -> [pid_t] {
    output.split(separator: "\n").compactMap { $0.hasPrefix("started ") ? pid_t($0.dropFirst(8)) : nil }
  }

  @Test func `it ends with status 0 when nobody needs it, and the next connection starts it again`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let activator = try Self.activator(fixture, on: loop)
      do {
        let client = try fixture.client()
        #expect(try client.call("status.get")["clients"] == 1)
      }
      try activator.waitToSay("ended 0")
      #expect(activator.output.contains(Self.ending))
      let client = try fixture.client()
      #expect(try client.call("status.get")["clients"] == 1)
      try loop.drive(until: "the second start") { Self.starts(activator.output).count == 2 }
    }
  }

  @Test func `a client that connects at the moment it ends is served, by it or by the next`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let activator = try Self.activator(fixture, on: loop)
      do { _ = try fixture.client().call("status.get") }
      try loop.drive(until: "the first start") { !Self.starts(activator.output).isEmpty }
      let daemon = try #require(Self.starts(activator.output).last)
      kill(daemon, SIGSTOP)
      // When it goes on, its time is over and the connection has waited in the socket: either may come first.
      let late = try fixture.client()
      try loop.drive(for: .seconds(12))
      kill(daemon, SIGCONT)
      #expect(try late.call("status.get")["clients"] != nil)
    }
  }

  @Test func `a client that connects while it ends is served by the next`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let activator = try Self.activator(fixture, on: loop)
      do { _ = try fixture.client().call("status.get") }
      try activator.waitToSay(Self.ending)
      let client = try fixture.client()
      #expect(try client.call("status.get")["clients"] == 1)
      try loop.drive(until: "the second start") { Self.starts(activator.output).count == 2 }
    }
  }

  @Test func `a region under a durable name keeps it running`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let activator = try Self.activator(fixture, on: loop)
      do {
        let client = try fixture.client()
        _ = try client.call(
          "region.add",
          [
            "id": "home", "circle": ["latitude": 48, "longitude": 11, "radius": 100],
            "durable": ["name": "home"],
          ])
      }
      try loop.drive(for: .seconds(13))
      let client = try fixture.client()
      #expect(try client.call("status.get")["clients"] == 1)
      #expect(!activator.output.contains("ended"), "\(activator.output)")
      _ = try client.call("durable.remove", ["name": "home"])
    }
  }

  @Test func `without a socket of systemd's it goes on, and logs that`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      try fixture.configure(["server.exit-when-idle=10s"])
      let daemon = try fixture.startServing()
      try daemon.waitToSay("exit-when-idle in [server] has no effect")
      try loop.drive(for: .seconds(13))
      #expect(try fixture.client().call("status.get")["clients"] == 1)
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
    }
  }
}
