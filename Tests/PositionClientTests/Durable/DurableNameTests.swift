import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// Registrations under a durable name, with a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct DurableNameTests {
  private static let home = Region(
    id: "home", shape: .circle(center: Coordinate(latitude: 48.137, longitude: 11.575), radius: 150))
  private static let name: JSONValue = ["name": "tracker"]
  private static let registration: JSONValue = ["name": "tracker", "wake": "tracker.service"]

  @Test("Regions, visits and positions are registered under the name, with the unit to wake")
  func registering() async throws {
    let daemon = try FakeDaemon { method, _ in
      [.result(method.hasPrefix("region") ? ["state": "inside", "warning": "small"] : Samples.subscription)]
    }
    let client = try await PositionClient(socket: daemon.path)
    let tracker = client.durable(name: "tracker", wake: "tracker.service")
    #expect(try await tracker.add(Self.home) == RegionResult(state: .inside, warning: "small"))
    #expect(
      await daemon.parameters(of: "region.add") == [
        "id": "home", "circle": ["latitude": 48.137, "longitude": 11.575, "radius": 150],
        "notify": ["enter", "exit"], "initial": "none", "durable": Self.registration,
      ])
    try await tracker.remove(region: "home")
    #expect(await daemon.parameters(of: "region.remove") == ["id": "home", "durable": Self.name])
    try await tracker.subscribeVisits()
    #expect(await daemon.parameters(of: "visit.subscribe") == ["durable": Self.registration])
    try await tracker.subscribeSignificant(distance: 1000, acquire: Acquisition(), accuracy: .block)
    #expect(
      await daemon.parameters(of: "position.subscribe") == [
        "mode": "significant", "significantDistance": 1000, "significantInterval": 300, "accuracy": "block",
        "acquire": ["budget": 15, "desiredAccuracy": 10, "acceptableAccuracy": 100], "activity": "other",
        "durable": Self.registration,
      ])
    try await tracker.subscribeDeferred(timeout: .seconds(600), minDistance: 25, autoPause: true)
    #expect(
      await daemon.parameters(of: "position.subscribe", number: 2) == [
        "mode": "deferred", "deferredTimeout": 600, "minInterval": 1, "minDistance": 25, "autoPause": true,
        "activity": "other", "durable": Self.registration,
      ])
  }

  @Test("The position registration is controlled by the name")
  func commands() async throws {
    let daemon = try FakeDaemon { _, _ in
      [.result(["durable": "tracker", "state": "paused", "availability": "available"])]
    }
    let client = try await PositionClient(socket: daemon.path)
    let tracker = client.durable(name: "tracker")
    try await tracker.pause()
    try await tracker.resume()
    try await tracker.acquire()
    try await tracker.flush()
    for method in ["pause", "resume", "acquire", "flush"] {
      #expect(await daemon.parameters(of: "subscription.\(method)") == ["durable": Self.name])
    }
  }

  @Test("A long list of regions is requested in parts")
  func regions() async throws {
    let pages = Sequel(
      [.result(["regions": [Samples.watchedRegion("home", "inside")], "omitted": 1])],
      [.result(["regions": [Samples.watchedRegion("work", "outside")]])])
    let daemon = try FakeDaemon { _, _ in pages.next() }
    let client = try await PositionClient(socket: daemon.path)
    let regions = try await client.durable(name: "tracker").regions()
    #expect(regions.map(\.region.id) == ["home", "work"])
    #expect(regions.map(\.state) == [.inside, .outside])
    #expect(await daemon.parameters(of: "region.list") == ["durable": Self.name])
    #expect(await daemon.parameters(of: "region.list", number: 2) == ["durable": Self.name, "after": "home"])
  }

  @Test("Names are listed, and one is removed with its waiting events")
  func names() async throws {
    let daemon = try FakeDaemon { method, _ in
      method == "durable.remove"
        ? [.result(["waiting": 4])]
        : [.result(["names": [Samples.durable("other"), Samples.durable("tracker", waiting: 4)]])]
    }
    let client = try await PositionClient(socket: daemon.path)
    #expect(try await client.durableNames().map(\.name) == ["other", "tracker"])
    #expect(try await client.durable(name: "tracker").registered()?.waiting == 4)
    #expect(try await client.durable(name: "nobody").registered() == nil)
    #expect(try await client.durable(name: "tracker").remove() == 4)
    #expect(await daemon.parameters(of: "durable.remove") == Self.name)
  }

  @Test("Repeatable requests are sent again after a lost connection, and a removal is not")
  func lostConnection() async throws {
    let answers = Sequel([.close], [.result(["state": "outside"])], [.close], [.result(["waiting": 0])], [.close])
    let daemon = try FakeDaemon { _, _ in answers.next() }
    let client = try await PositionClient(socket: daemon.path)
    let tracker = client.durable(name: "tracker")
    #expect(try await tracker.add(Self.home).state == .outside)
    try await tracker.acknowledge(through: 12)
    #expect(await daemon.parameters(of: "durable.acknowledge", number: 2) == ["name": "tracker", "event": 12])
    await #expect(throws: PositionError.connectionLost(reason: "the daemon closed it")) { try await tracker.remove() }
  }
}
