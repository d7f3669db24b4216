import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// Sequences of region events and of visits, with a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct RegionTests {
  private static func region(
    _ id: String, initial: InitialReport = .always, expiresIn: Duration? = nil
  ) -> Region {
    Region(
      id: id, shape: .circle(center: Coordinate(latitude: 48.137, longitude: 11.575), radius: 150),
      expiresIn: expiresIn, initial: initial)
  }

  /// The daemon's events for each region that is added, after the answer: an event and a state.
  private static func daemon(_ events: @escaping @Sendable () -> [(String, String)]) throws -> FakeDaemon {
    try FakeDaemon { method, params in
      guard case .string(let id)? = params["id"] else { return [.result([:])] }
      guard method == "region.add" else { return [.result(["state": "unknown"])] }
      return [.result(["state": "unknown"])]
        + events().map { .notify("region.event", Samples.regionEvent(id, $0.0, $0.1)) }
    }
  }

  /// An update as text.
  private static func words(_ update: RegionUpdate?) -> String {
    guard let update else { return "end" }
    return update.event.map { "\($0.id) \($0.kind)" } ?? update.reason?.rawValue ?? "nothing"
  }

  @Test("Regions are watched when iterated, have their own ids, and end when the loop is left")
  func events() async throws {
    let daemon = try Self.daemon { [("enter", "inside"), ("exit", "outside")] }
    let client = try await PositionClient(socket: daemon.path)
    let events = client.regionEvents([Self.region("home"), Self.region("work")])
    _ = try await client.call(method: "status.get")
    #expect(!daemon.methods.contains("region.add"))

    var received: [RegionEvent] = []
    for try await update in events {
      received += update.event.map { [$0] } ?? []
      if received.count == 4 { break }
    }
    #expect(received.map(\.id) == ["home", "home", "work", "work"])
    #expect(received.map(\.kind) == [.enter, .exit, .enter, .exit])
    #expect(received[0].state == .inside && received[0].probability == 0.97 && received[0].fix?.latitude == 48.137154)
    let added = await daemon.parameters(of: "region.add")
    #expect(added?["circle"] == ["latitude": 48.137, "longitude": 11.575, "radius": 150])
    #expect(await daemon.parameters(of: "region.remove")?["id"] == added?["id"])
    #expect(await daemon.parameters(of: "region.remove", number: 2) != nil)
  }

  @Test("Over lost connections changes are delivered once, and nothing else")
  func reconnection() async throws {
    let rounds = Parts([("enter", "inside")], [("enter", "inside")], [("exit", "outside"), ("enter", "inside")])
    let daemon = try Self.daemon { rounds.next() }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.regionEvents([Self.region("home")]).makeAsyncIterator()
    var words = [Self.words(try await updates.next())]
    for _ in 1...2 {
      daemon.dropClients()
      words += [Self.words(try await updates.next()), Self.words(try await updates.next())]
    }
    words += [Self.words(try await updates.next()), Self.words(try await updates.next())]
    #expect(
      words == [
        "home enter", "disconnected", "reconnected", "disconnected", "reconnected", "home exit", "home enter",
      ])
    #expect(daemon.methods.count { $0 == "region.add" } == 3)
  }

  @Test("Two loops may watch one region, and each receives its events")
  func twoLoops() async throws {
    let daemon = try Self.daemon { [("enter", "inside")] }
    let client = try await PositionClient(socket: daemon.path)
    let events = client.regionEvents([Self.region("home")])
    var (one, other) = (events.makeAsyncIterator(), events.makeAsyncIterator())
    #expect(Self.words(try await one.next()) == "home enter")
    #expect(Self.words(try await other.next()) == "home enter")
    let first = await daemon.parameters(of: "region.add")?["id"]
    let second = await daemon.parameters(of: "region.add", number: 2)?["id"]
    #expect(first != second)
    guard case .string(let id)? = second else {
      Issue.record("the second loop has added no region")
      return
    }
    daemon.notify("region.event", Samples.regionEvent(id, "exit", "outside"))
    #expect(Self.words(try await other.next()) == "home exit")
  }

  @Test("A set that changes is watched as it is now")
  func set() async throws {
    let daemon = try Self.daemon { [("enter", "inside")] }
    let client = try await PositionClient(socket: daemon.path)
    let regions = try RegionSet([Self.region("home")])
    var updates = client.regionEvents(regions).makeAsyncIterator()
    #expect(Self.words(try await updates.next()) == "home enter")
    try regions.add(Self.region("work"))
    regions.remove(id: "home")
    #expect(Self.words(try await updates.next()) == "work enter")
    let home = await daemon.parameters(of: "region.add")?["id"]
    #expect(await daemon.parameters(of: "region.remove")?["id"] == home)
    // On a new connection only its own contents are requested.
    daemon.dropClients()
    #expect(Self.words(try await updates.next()) == "disconnected")
    #expect(Self.words(try await updates.next()) == "reconnected")
    let work = await daemon.parameters(of: "region.add", number: 2)?["id"]
    #expect(await daemon.parameters(of: "region.add", number: 3)?["id"] == work)
    #expect(regions.regions.map(\.id) == ["work"])
  }

  @Test("A set refuses a region that cannot be watched, and can be changed at any time")
  func invalid() async throws {
    let wrong = Region(id: "", shape: .circle(center: Coordinate(latitude: 0, longitude: 0), radius: 1))
    #expect(throws: InvalidRegion(parameter: "id", expected: "1 to 128 bytes long")) { try RegionSet([wrong]) }
    let regions = RegionSet()
    #expect(throws: InvalidRegion.self) { try regions.add(wrong) }

    let daemon = try Self.daemon { [("enter", "inside")] }
    let client = try await PositionClient(socket: daemon.path)
    let task = Task {
      var updates = client.regionEvents(regions).makeAsyncIterator()
      return try await updates.next()
    }
    try regions.add(Self.region("home"))
    #expect(Self.words(try await task.outcome) == "home enter")
  }

  @Test("A region that is refused ends the loop with the error, and the others end too")
  func refused() async throws {
    let answers = Sequel([.result(["state": "unknown"])], [.error(-32007, "too many regions")])
    let daemon = try FakeDaemon { method, _ in
      method == "region.add" ? answers.next() : [.result(["state": "unknown"])]
    }
    let client = try await PositionClient(socket: daemon.path)
    await #expect(throws: PositionError.failed(RPCError(code: .limitExceeded, message: "too many regions"))) {
      for try await _ in client.regionEvents([Self.region("home"), Self.region("work")]) {}
    }
    let home = await daemon.parameters(of: "region.add")?["id"]
    #expect(await daemon.parameters(of: "region.remove")?["id"] == home)
  }

  @Test("The end of a region's time is delivered, and it is not requested again")
  func expired() async throws {
    let daemon = try Self.daemon { [("expired", "unknown")] }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.regionEvents([Self.region("home", expiresIn: .seconds(60))]).makeAsyncIterator()
    #expect(Self.words(try await updates.next()) == "home expired")
    daemon.dropClients()
    #expect(Self.words(try await updates.next()) == "disconnected")
    #expect(Self.words(try await updates.next()) == "reconnected")
    #expect(daemon.methods.count { $0 == "region.add" } == 1)
  }

  @Test("Visits are delivered on arrival and departure, over lost connections too")
  func visits() async throws {
    let rounds = Sequel(
      [.result(Samples.subscription), .notify("visit.update", ["subscription": 7, "visit": Samples.visit])],
      [.result(Samples.subscription), .notify("visit.update", ["subscription": 7, "visit": Samples.endedVisit])])
    let daemon = try FakeDaemon { method, _ in
      method == "visit.subscribe" ? rounds.next() : [.result(Samples.subscription)]
    }
    let client = try await PositionClient(socket: daemon.path)
    var updates: [VisitUpdate] = []
    for try await update in client.visits() {
      updates.append(update)
      if updates.count == 1 { daemon.dropClients() }
      if updates.count == 4 { break }
    }
    #expect(updates.map(\.reason) == [nil, .disconnected, .reconnected, nil])
    #expect(updates.first?.visit?.id == 12 && updates.first?.visit?.departure == nil)
    #expect(updates.last?.visit?.departure.map { "\(Timestamp(of: $0))" } == "2026-01-31T13:30:00.000Z")
    #expect(await daemon.parameters(of: "subscription.cancel") == ["subscription": 7])
  }
}
