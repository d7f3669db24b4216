import EventLoop
import Glibc
import PositionClient
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The Swift client while the real daemon is killed and started again.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ReconnectionTests {
  private static func play() -> Stage.Play {
    var play = Stage.Play()
    play.receiver.period = .milliseconds(200)
    return play
  }

  @Test func `a sequence tells each kill of the daemon, and its return, and fixes go on`() async throws {
    let stage = try await onOwnThread { try Stage(Self.play()) }
    let client = try await PositionClient(socket: stage.socket, name: "follower")
    var updates = client.updates(accuracy: .room, minInterval: .zero).makeAsyncIterator()
    var fixes: [Fix] = []
    for round in 0...3 {
      if round > 0 {
        try await onOwnThread { try stage.onLoop { $0.killDaemon() } }
        var update = try #require(try await updates.next())
        // What was on its way.
        while let fix = update.fix {
          fixes.append(fix)
          update = try #require(try await updates.next())
        }
        #expect(update == .init(availability: .unknown, state: .waiting, reason: .disconnected))
        try await onOwnThread { try stage.onLoop { try $0.startDaemon() } }
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

  @Test func `a position that is waited for outlives the daemon that was asked`() async throws {
    var play = Self.play()
    // Nothing can be had before the daemon is killed.
    play.isPlugged = false
    let stage = try await onOwnThread { [play] in try Stage(play) }
    let client = try await PositionClient(socket: stage.socket)
    let task = Task { try await client.position(accuracy: .house, timeout: .seconds(60)) }
    try await onOwnThread {
      _ = try stage.waitForStatus("the request") { $0["requests"] == 1 }
      try stage.onLoop { $0.killDaemon() }
      try stage.onLoop { try $0.startDaemon() }
      try stage.waitForSocket()
      _ = try stage.waitForStatus("the request, asked again") { $0["requests"] == 1 }
      try stage.onLoop { cast in
        try cast.receiver?.start()
        try cast.tellGpsd("+\(cast.device)")
      }
    }
    let result = try await task.value
    #expect(result.status == .success && result.isSatisfied)
    #expect(result.elapsed < .seconds(60))
  }

  @Test func `a cancelled task frees the receiver on the daemon`() async throws {
    var play = Self.play()
    play.isPlugged = false
    let stage = try await onOwnThread { [play] in try Stage(play) }
    let client = try await PositionClient(socket: stage.socket)
    let task = Task { try await client.position(timeout: .zero) }
    try await onOwnThread { _ = try stage.waitForStatus("the request") { $0["demand"] != nil } }
    task.cancel()
    await #expect(throws: PositionError.cancelled) { try await task.value }
    try await onOwnThread {
      _ = try stage.waitForStatus("no request") { $0["requests"] == 0 && $0["demand"] == nil }
    }
  }

  @Test func `the example that follows starts before the daemon, outlives its kill, and ends by itself`() async throws {
    try await onOwnThread {
      let stage = try Stage(Self.play())
      try stage.onLoop { $0.killDaemon() }
      let loop = try EventLoop()
      // Line by line, as on a terminal.
      let run = try RunningProgram(
        "/usr/bin/env", ["stdbuf", "-oL", Programs.path("Follow"), "6"], environment: stage.environment, on: loop)
      try stage.onLoop { try $0.startDaemon() }
      try run.waitToSay("here: 48.1")
      try run.waitToSay("fix: 48.1")
      try stage.onLoop { $0.killDaemon() }
      try run.waitToSay("disconnected: ")
      try stage.onLoop { try $0.startDaemon() }
      try run.waitToSay("reconnected: ")
      #expect(try run.waitForExit() == 0, "\(run.output)")
      let fixes = run.output.split(separator: "\n").filter { $0.hasPrefix("fix: ") }
      #expect(fixes.count == 6, "\(run.output)")
      #expect(Set(fixes).count == 6, "\(run.output)")
    }
  }
}
