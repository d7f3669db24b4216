import EventLoop
import Glibc
import PositionClient
import Positioning
import TestSupport
import Testing

/// Durable registrations by one program, with events for others: the Swift client and positionctl with the real daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct DurableClientTests {
  @Test
  func `events arrive in order in successive loops, over a kill of the daemon, until they are acknowledged`()
    async throws
  {
    let fixture = try await onOwnThread { try GateRoute.fixture() }
    let first = try await PositionClient(socket: fixture.socket)
    var tracker = first.durable(name: "tracker")
    try await tracker.add(GateRoute.gate)
    try await tracker.subscribeDeferred(timeout: .seconds(2), minInterval: .zero)

    // Acknowledges events until the device has entered, and then no more.
    var ids: [Int] = []
    var kinds: [RegionEventKind] = []
    var acknowledged = 0
    var wasKilled = false
    var words: [String] = []
    for try await event in tracker.events() {
      words += event.reason.map { [$0.rawValue] } ?? []
      ids += event.id.map { [$0] } ?? []
      // On a slow machine the device may be inside before the program watches, and leave: that is not the first enter.
      if let kind = event.region?.kind, !kinds.isEmpty || kind == .enter { kinds.append(kind) }
      if kinds.isEmpty, let id = event.id {
        try await tracker.acknowledge(event)
        acknowledged = id
      } else if !wasKilled {
        wasKilled = true
        try await onOwnThread {
          try fixture.onLoop { $0.killDaemon() }
          try fixture.onLoop { try $0.startDaemon() }
        }
      }
      // The device may have left before the daemon is killed.
      if kinds.count == 2, words.count == 2 { break }
    }
    #expect(words == ["disconnected", "reconnected"])
    #expect(kinds == [.enter, .exit])
    #expect(acknowledged > 0)
    #expect(ids == Array(1...ids.count))
    await first.close()

    // Another program takes the unacknowledged events.
    let second = try await PositionClient(socket: fixture.socket)
    tracker = second.durable(name: "tracker")
    let regions = try await tracker.regions()
    #expect(regions.map(\.region.id) == ["gate"])
    #expect(try await tracker.registered()?.position?.mode == .deferred)
    var next = acknowledged
    for try await event in tracker.events() {
      next += 1
      #expect(event.id == next)
      if next == ids.count { break }
    }
    #expect(try await tracker.remove() > 0)
    #expect(try await tracker.registered() == nil)
  }

  @Test func `positionctl registers, lists, fetches and removes`() async throws {
    try await withLoop { loop in
      let fixture = try GateRoute.fixture()
      func run(_ words: String..., code: Int32 = 0) throws -> String {
        let run = try RunningProgram(
          Programs.path("positionctl"), words, environment: fixture.environment, on: loop)
        #expect(try run.waitForExit() == code, "\(words): \(run.output)")
        return run.output
      }
      let added = try run("region", "add", "gate", "--circle", GateRoute.circle, "--durable", "tracker")
      #expect(added.hasPrefix("added gate; "), "\(added)")
      _ = try run("region", "add", "hut", "--circle", "47,11,1km", "--durable", "tracker")
      #expect(try run("region", "remove", "hut", "--durable", "tracker") == "removed hut\n")
      let events = try run(
        "region", "watch", "gate", "--durable", "tracker", "-n", "2", "--duration", "50")
      let lines = events.split(separator: "\n").map { $0.prefix { $0 != "(" } }
      #expect(lines == [#"#1 entered "gate" "#, #"#2 left "gate" "#], "\(events)")
      // They wait until they are acknowledged.
      let taken = try run("durable", "attach", "tracker", "--acknowledge", "-n", "1")
      #expect(taken.contains(#"#1 entered "gate""#), "\(taken)")
      #expect(try run("durable", "attach", "tracker", "-n", "1").contains(#"#2 left "gate""#))
      #expect(try run("durable", "list").hasPrefix("tracker: 1 region; "))
      #expect(try run("region", "list").hasPrefix("tracker gate: outside"))
      _ = try run("durable", "acknowledge", "tracker", "2")
      #expect(try run("durable", "acknowledge", "tracker", "9999", code: 1).contains("newest"))
      #expect(try run("durable", "remove", "tracker").hasPrefix("removed tracker"))
      #expect(try run("durable", "list") == "no durable names\n")
      #expect(try run("durable", "remove", "tracker", code: 1).contains("Not found"))
      _ = try fixture.waitForStatus("nobody needs the receiver") { $0["demand"] == nil }
    }
  }
}
