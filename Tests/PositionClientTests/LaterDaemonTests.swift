import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// A daemon of a later 1.x, with enum values, members and notifications that this client does not know.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct LaterDaemonTests {
  private static let subscription = Samples.subscription.with([
    "state": "dreaming", "availability": "moonlit", "further": 1,
  ])

  private static let fix = Samples.fix.with(["mode": "4d", "status": "ppp", "moon": "full"])

  @Test("Only the version of a greeting is needed")
  func bareGreeting() async throws {
    let daemon = try FakeDaemon(hello: ["protocol": "1.9"]) { _, _ in [.result(["availability": "stale"])] }
    let client = try await PositionClient(socket: daemon.path)
    #expect(try await client.last().availability == .stale)
    let other = try FakeDaemon(hello: [:]) { _, _ in [] }
    await #expect(throws: PositionError.unexpected("protocol without a version, and this client speaks 1.0")) {
      _ = try await PositionClient(socket: other.path)
    }
  }

  @Test("An update with unknown enum values is delivered with the known ones")
  func update() async throws {
    let daemon = try FakeDaemon { _, _ in
      [
        .result(Self.subscription), .notify("moon.phase", ["subscription": 7]),
        .notify(
          "position.update",
          Samples.update().with([
            "state": "dreaming", "availability": "moonlit", "reason": "eclipse", "achievedAccuracy": "lane",
            "fix": Self.fix,
          ])),
      ]
    }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.updates().makeAsyncIterator()
    let update = try #require(try await updates.next())
    #expect(update.fix?.latitude == 48.137154)
    #expect(update.fix?.mode == .twoDimensional)
    #expect(update.fix?.status == .gnss)
    #expect(update.availability == .unknown)
    #expect(update.state == .waiting)
    #expect(update.reason == DeliveryReason(rawValue: "eclipse"))
    #expect(update.achievedAccuracy == nil)
  }

  @Test("A status with unknown enum values is delivered with the known parts")
  func status() async throws {
    let status = Samples.status.with([
      "receiver": try #require(Samples.status["receiver"]).with(["availability": "moonlit"]),
      "gpsd": try #require(Samples.status["gpsd"]).with(["state": "asleep"]),
      "subscription": 7, "changed": ["tides", "gpsd"],
    ])
    let daemon = try FakeDaemon { method, _ in
      method == "status.get"
        ? [.result(status)] : [.result(Samples.subscription), .notify("status.update", status)]
    }
    let client = try await PositionClient(socket: daemon.path)
    let asked = try await client.status()
    #expect(asked.receiver.availability == .unknown)
    #expect(asked.gpsd.state == .unknown)
    var updates = client.statusUpdates().makeAsyncIterator()
    let update = try #require(try await updates.next())
    #expect(update.changed == [.gpsd] && update.reason == nil)
    #expect(update.status?.gpsd == asked.gpsd && update.status?.receiver.availability == .unknown)
  }

  @Test("An event of a region is delivered with an unknown kind or state")
  func regions() async throws {
    let daemon = try FakeDaemon { _, params in
      guard case .string(let id)? = params["id"] else { return [.close] }
      return [
        .result(["state": "hovering"]), .notify("region.event", Samples.regionEvent(id, "approach", "outside")),
        .notify("region.event", Samples.regionEvent(id, "crossed", "hovering")),
      ]
    }
    let client = try await PositionClient(socket: daemon.path)
    let home = Region(id: "home", shape: .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 150))
    var updates = client.regionEvents([home]).makeAsyncIterator()
    let first = try #require(try await updates.next()?.event)
    #expect(first.kind == .unknown && first.state == .outside)
    let second = try #require(try await updates.next()?.event)
    #expect(second.kind == .crossed && second.state == .unknown)
  }

  @Test("Registrations of a name are listed with the known values")
  func durable() async throws {
    let region = Samples.watchedRegion("home", "hovering").with([
      "notify": ["enter", "approach"], "initial": "perhaps",
    ])
    let name = Samples.durable(regions: [region]).with([
      "position": ["mode": "dreaming", "replay": "twice", "activity": "flying"]
    ])
    let daemon = try FakeDaemon { _, _ in [.result(["names": [name]])] }
    let client = try await PositionClient(socket: daemon.path)
    let registered = try #require(try await client.durable(name: "tracker").registered())
    #expect(registered.regions.map(\.state) == [.unknown])
    #expect(registered.regions.first?.region.notify == [.enter])
    #expect(registered.regions.first?.region.initial == InitialReport.none)
    #expect(registered.position == SubscriptionParameters())
  }

  @Test("Greeting, position and sky are read as well")
  func others() async throws {
    let daemon = try FakeDaemon(
      hello: Samples.hello.with([
        "authorization": ["state": "onSundays", "precision": "hazy"], "protocol": "1.7",
      ])
    ) { method, _ in
      method == "sky.get"
        ? [.result(["satellites": [["constellation": "lunar", "svid": 1, "used": false]]])]
        : [
          .result(
            Samples.success.with([
              "status": "half", "diagnostics": ["availability": "moonlit", "power": "solar", "mode": "4d"],
            ]))
        ]
    }
    let client = try await PositionClient(socket: daemon.path)
    let result = try await client.position()
    #expect(result.status == .timedOut)
    #expect(result.isSatisfied)
    #expect(result.diagnostics == Diagnostics(availability: .unknown, power: .unknown))
    #expect(try await client.sky()?.satellites == [.init(constellation: .unknown, svid: 1, isUsed: false)])
  }
}
