import EventLoop
import Glibc
import PositionClient
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The Swift client while the real daemon is killed and started again.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ReconnectionTests {
  private static func settings() -> IntegrationFixture.Settings {
    var settings = IntegrationFixture.Settings()
    settings.receiver.period = .milliseconds(200)
    return settings
  }

  @Test func `a sequence reports each kill of the daemon, and its return, and fixes continue`() async throws {
    let fixture = try await onOwnThread { try IntegrationFixture(Self.settings()) }
    let client = try await PositionClient(socket: fixture.socket, name: "follower")
    var updates = client.updates(accuracy: .room, minInterval: .zero).makeAsyncIterator()
    var fixes: [Fix] = []
    for round in 0...3 {
      if round > 0 {
        try await onOwnThread { try fixture.onLoop { $0.killDaemon() } }
        var update = try #require(try await updates.next())
        // Updates that were on their way.
        while let fix = update.fix {
          fixes.append(fix)
          update = try #require(try await updates.next())
        }
        #expect(update == .init(availability: .unknown, state: .waiting, reason: .disconnected))
        try await onOwnThread { try fixture.onLoop { try $0.startDaemon() } }
        let back = try #require(try await updates.next())
        #expect(back.reason == .reconnected && back.fix == nil && back.availability != .unknown)
      }
      let count = fixes.count + 3
      while fixes.count < count, let update = try await updates.next() {
        #expect(update.reason != .disconnected && update.reason != .reconnected)
        if let fix = update.fix { fixes.append(fix) }
      }
    }
    let arrivals = fixes.map(\.arrival)
    #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 < $1 }, "\(arrivals)")
  }

  @Test func `a waiting position request outlives a kill of the daemon`() async throws {
    var settings = Self.settings()
    // There is no fix before the daemon is killed.
    settings.isPlugged = false
    let fixture = try await onOwnThread { [settings] in try IntegrationFixture(settings) }
    let client = try await PositionClient(socket: fixture.socket)
    let task = Task { try await client.position(accuracy: .house, timeout: .seconds(60)) }
    try await onOwnThread {
      _ = try fixture.waitForStatus("the request") { $0["requests"] == 1 }
      try fixture.onLoop { $0.killDaemon() }
      try fixture.onLoop { try $0.startDaemon() }
      try fixture.waitForSocket()
      _ = try fixture.waitForStatus("the request, asked again") { $0["requests"] == 1 }
      try fixture.onLoop { parts in
        try parts.plugReceiver()
      }
    }
    let result = try await task.value
    #expect(result.status == .success && result.isSatisfied)
    #expect(result.elapsed < .seconds(60))
  }

  @Test func `a cancelled task frees the receiver on the daemon`() async throws {
    var settings = Self.settings()
    settings.isPlugged = false
    let fixture = try await onOwnThread { [settings] in try IntegrationFixture(settings) }
    let client = try await PositionClient(socket: fixture.socket)
    let task = Task { try await client.position(timeout: .zero) }
    try await onOwnThread { _ = try fixture.waitForStatus("the request") { $0["demand"] != nil } }
    task.cancel()
    await #expect(throws: PositionError.cancelled) { try await task.value }
    try await onOwnThread {
      _ = try fixture.waitForStatus("no request") { $0["requests"] == 0 && $0["demand"] == nil }
    }
  }

  @Test func `the example of following starts before the daemon, outlives its kill, and ends by itself`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture(Self.settings())
      try fixture.onLoop { $0.killDaemon() }
      let loop = try EventLoop()
      // Line by line, as on a terminal.
      let run = try RunningProgram(
        "/usr/bin/env", ["stdbuf", "-oL", Programs.path("Follow"), "6"], environment: fixture.environment, on: loop)
      try fixture.onLoop { try $0.startDaemon() }
      try run.waitToSay("here: 48.1")
      try run.waitToSay("fix: 48.1")
      try fixture.onLoop { $0.killDaemon() }
      try run.waitToSay("disconnected: ")
      try fixture.onLoop { try $0.startDaemon() }
      try run.waitToSay("reconnected: ")
      #expect(try run.waitForExit() == 0, "\(run.output)")
      let fixes = run.output.split(separator: "\n").filter { $0.hasPrefix("fix: ") }
      #expect(fixes.count == 6, "\(run.output)")
      #expect(Set(fixes).count == 6, "\(run.output)")
    }
  }
}
