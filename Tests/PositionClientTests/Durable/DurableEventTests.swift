import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// The events of a durable name, with a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct DurableEventTests {
  private static func enter(_ id: Int) -> FakeDaemon.Step {
    .notify("region.event", Samples.regionEvent("home", "enter", "inside", durable: "tracker", eventID: id))
  }

  private static func ended(_ reason: String) -> FakeDaemon.Step {
    .notify("subscription.ended", ["durable": "tracker", "reason": .string(reason)])
  }

  private static func word(_ event: DurableEvent?) -> String {
    guard let event else { return "end" }
    return event.id.map { "\($0)" } ?? event.reason?.rawValue ?? "nothing"
  }

  @Test("Waiting events of every kind come in order, and are acknowledged by their numbers")
  func events() async throws {
    let daemon = try FakeDaemon { method, _ in
      guard method == "durable.attach" else { return [.result(["waiting": 0])] }
      return [
        .result(Samples.durable(waiting: 3, lastEvent: 14)),
        .notify("durable.overflow", ["durable": "tracker", "dropped": 40]), Self.enter(12),
        .notify("visit.update", ["durable": "tracker", "eventId": 13, "visit": Samples.visit]),
        .notify(
          "position.update", Samples.batch("timeout", subscription: nil, durable: "tracker", eventID: 14, dropped: 2)),
      ]
    }
    let client = try await PositionClient(socket: daemon.path)
    let tracker = client.durable(name: "tracker")
    var events: [DurableEvent] = []
    for try await event in tracker.events(since: 11) {
      events.append(event)
      try await tracker.acknowledge(event)
      if events.count == 4 { break }
    }
    #expect(events.map(\.id) == [nil, 12, 13, 14])
    #expect(events[0] == DurableEvent(dropped: 40, reason: .overflow))
    #expect(events[1].region?.id == "home" && events[1].region?.kind == .enter)
    #expect(events[2].visit?.id == 12)
    #expect(events[3].position?.fixes.count == 2 && events[3].position?.reason == .timeout)
    #expect(await daemon.parameters(of: "durable.attach") == ["name": "tracker", "sinceEvent": 11])
    #expect(await daemon.parameters(of: "durable.acknowledge") == ["name": "tracker", "event": 12])
    #expect(await daemon.parameters(of: "durable.acknowledge", number: 3) == ["name": "tracker", "event": 14])
    // The connection stays attached; nothing of it is cancelled.
    try await tracker.acknowledge(through: 14)
    #expect(!daemon.methods.contains("subscription.cancel"))
  }

  @Test("Over a lost connection a loop gets each event once, and attaches without acknowledging anything")
  func reconnection() async throws {
    let attachments = Sequel(
      [.result(Samples.durable(lastEvent: 3)), Self.enter(2), Self.enter(3)],
      [.result(Samples.durable(lastEvent: 4)), Self.enter(2), Self.enter(3), Self.enter(4)])
    let daemon = try FakeDaemon { _, _ in attachments.next() }
    let client = try await PositionClient(socket: daemon.path)
    var events = client.durable(name: "tracker").events(since: 1).makeAsyncIterator()
    var words = [Self.word(try await events.next()), Self.word(try await events.next())]
    daemon.dropClients()
    for _ in 1...3 { words.append(Self.word(try await events.next())) }
    #expect(words == ["2", "3", "disconnected", "reconnected", "4"])
    #expect(await daemon.parameters(of: "durable.attach", number: 2) == ["name": "tracker"])
  }

  @Test("If the daemon's numbers begin again, its events are new ones")
  func countedAnew() async throws {
    let attachments = Sequel(
      [.result(Samples.durable(lastEvent: 30)), Self.enter(30), .close],
      [.result(Samples.durable(lastEvent: 1)), Self.enter(1)])
    let daemon = try FakeDaemon { _, _ in attachments.next() }
    let client = try await PositionClient(socket: daemon.path)
    var words: [String] = []
    for try await event in client.durable(name: "tracker").events() {
      words.append(Self.word(event))
      if words.count == 4 { break }
    }
    #expect(words == ["30", "disconnected", "reconnected", "1"])
  }

  @Test(
    "The replacement by another program, and the removal of the name, is the last event",
    arguments: [("replaced", DeliveryReason.replaced), ("cancelled", .removed)])
  func end(reason: String, expected: DeliveryReason) async throws {
    let daemon = try FakeDaemon { _, _ in
      [.result(Samples.durable(lastEvent: 1)), Self.enter(1), Self.ended(reason)]
    }
    let client = try await PositionClient(socket: daemon.path)
    var events: [DurableEvent] = []
    for try await event in client.durable(name: "tracker").events() { events.append(event) }
    #expect(events.map(\.reason) == [nil, expected])
    // The client does not reconnect.
    daemon.dropClients()
    _ = await daemon.parameters(of: "(closed)")
    #expect(daemon.methods.count { $0 == "durable.attach" } == 1)
  }

  @Test("Of two loops of one client the newer takes the events")
  func twoLoops() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.durable(lastEvent: 1)), Self.enter(1)] }
    let client = try await PositionClient(socket: daemon.path)
    let events = client.durable(name: "tracker").events()
    var (older, newer) = (events.makeAsyncIterator(), events.makeAsyncIterator())
    #expect(Self.word(try await older.next()) == "1")
    #expect(Self.word(try await newer.next()) == "1")
    #expect(Self.word(try await older.next()) == "replaced")
    #expect(try await older.next() == nil)
    daemon.notify("region.event", Samples.regionEvent("home", "exit", "outside", durable: "tracker", eventID: 2))
    #expect(Self.word(try await newer.next()) == "2")
  }

  @Test("A name without registrations is an error, now and after a lost connection")
  func notFound() async throws {
    let missing = FakeDaemon.Step.error(-32008, "Not found: durable name tracker")
    let error = PositionError.failed(RPCError(code: .notFound, message: "Not found: durable name tracker"))
    let attachments = Sequel([missing], [.result(Samples.durable()), .close], [missing])
    let daemon = try FakeDaemon { _, _ in attachments.next() }
    let client = try await PositionClient(socket: daemon.path)
    let events = client.durable(name: "tracker").events()
    await #expect(throws: error) { for try await _ in events {} }
    var words: [String] = []
    await #expect(throws: error) { for try await event in events { words.append(Self.word(event)) } }
    #expect(words == ["disconnected"])
  }

  @Test("Events that a loop does not take in time are counted with those that the daemon dropped")
  func passedOver() {
    var newest = DurableEvent(id: 9)
    newest.passOver(DurableEvent(id: 8, dropped: 2))
    newest.passOver(DurableEvent(dropped: 40, reason: .overflow))
    #expect(newest.dropped == 43)
  }
}
