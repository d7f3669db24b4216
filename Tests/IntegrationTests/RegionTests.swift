import EventLoop
import Glibc
import JSONRPC
import PositionClient
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// Regions with a receiver that drives through one, as programs and people watch them.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct RegionTests {
  @Test func `a loop reports each enter and exit once, over a kill of the daemon, and leaves nothing behind`()
    async throws
  {
    let fixture = try await onOwnThread { try GateRoute.fixture() }
    let client = try await PositionClient(socket: fixture.socket, name: "gatekeeper")
    let regions = try RegionSet([GateRoute.gate])
    var updates = client.regionEvents(regions).makeAsyncIterator()
    var events: [RegionEvent] = []
    // On a slow machine the device may be inside before the program watches: its exit is not the first event.
    while events.isEmpty, let update = try await updates.next() {
      if let event = update.event, event.kind == .enter { events.append(event) }
    }

    // The device is inside, and may have left before there is a daemon again.
    try await onOwnThread { try fixture.onLoop { $0.killDaemon() } }
    #expect(try await updates.next() == RegionUpdate(reason: .disconnected))
    try await onOwnThread { try fixture.onLoop { try $0.startDaemon() } }
    #expect(try await updates.next() == RegionUpdate(reason: .reconnected))
    while events.count < 3, let update = try await updates.next() { events += update.event.map { [$0] } ?? [] }

    #expect(events.map(\.kind) == [.enter, .exit, .enter])
    #expect(events.map(\.state) == [.inside, .outside, .inside])
    #expect(events.allSatisfy { $0.id == "gate" && !$0.isInferred })
    for event in events {
      let distance = GateRoute.distance(event.fix)
      #expect(event.kind == .enter ? distance < GateRoute.gateRadius : distance > GateRoute.gateRadius, "\(event)")
    }

    regions.remove(id: "gate")
    try await onOwnThread { _ = try fixture.waitForStatus("nobody needs the receiver") { $0["demand"] == nil } }
  }

  @Test func `positionctl region watch ends when the device has come and gone`() async throws {
    try await withLoop { loop in
      let fixture = try GateRoute.fixture()
      let run = try RunningProgram(
        Programs.path("positionctl"), ["region", "watch", "gate", "--circle", GateRoute.circle, "-n", "2", "--json"],
        environment: fixture.environment, on: loop)
      #expect(try run.waitForExit() == 0, "\(run.output)")
      let events = try run.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
      #expect(events.map { $0["event"] } == ["enter", "exit"], "\(run.output)")
      #expect(events.map { $0["id"] } == ["gate", "gate"], "\(run.output)")
      _ = try fixture.waitForStatus("nobody needs the receiver") { $0["demand"] == nil }
    }
  }

  @Test func `a paused loop releases the receiver, and a resumed one has fixes again`() async throws {
    let fixture = try await onOwnThread { try GateRoute.fixture() }
    let client = try await PositionClient(socket: fixture.socket)
    let control = SubscriptionControl()
    var updates = client.updates(mode: .deferred(timeout: .seconds(2)), control: control).makeAsyncIterator()
    // There are fixes, which are collected.
    #expect(try await updates.next()?.reason == .available)
    control.acquire()
    try await Self.wait(for: .acquired, in: &updates)
    control.pause()
    try await Self.wait(for: .paused, in: &updates)
    try await onOwnThread { _ = try fixture.waitForStatus("nobody needs the receiver") { $0["demand"] == nil } }
    // It stays paused, also over a restart of the daemon.
    try await onOwnThread {
      try fixture.onLoop { $0.killDaemon() }
      try fixture.onLoop { try $0.startDaemon() }
    }
    try await Self.wait(for: .paused, in: &updates)
    control.resume()
    try await Self.wait(for: .resumed, in: &updates)
    let batch = try await Self.wait(for: .timeout, in: &updates)
    #expect(batch.fixes.count >= 2)
  }

  /// Takes updates until one comes for the reason.
  @discardableResult
  private static func wait(
    for reason: DeliveryReason, in updates: inout Updates<PositionUpdate>.Iterator
  ) async throws -> PositionUpdate {
    while let update = try await updates.next() {
      if update.reason == reason { return update }
    }
    throw TimedOut("no update for the reason \(reason.rawValue)")
  }
}
