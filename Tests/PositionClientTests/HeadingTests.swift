import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import PositionClient

/// Headings in the client library, against a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct HeadingTests {
  private static let heading: JSONValue = [
    "trueHeading": 0, "magneticHeading": 355.6, "source": "sensor", "arrival": 1000, "age": 0.4,
  ]

  private static func update(_ heading: JSONValue?, state: String = "valid") -> FakeDaemon.Step {
    var params: [String: JSONValue] = ["subscription": 7, "state": .string(state)]
    params["heading"] = heading
    return .notify("heading.update", .object(params))
  }

  @Test("A heading is requested with the caller's parameters, and its result is in field terms")
  func get() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(["status": "success", "heading": Self.heading])] }
    let client = try await PositionClient(socket: daemon.path)
    let heading = try await client.heading(timeout: .milliseconds(1500), maximumAge: .seconds(1))
    #expect(
      heading
        == Heading(
          trueHeading: 0, magneticHeading: 355.6, source: .sensor, arrival: Instant(sinceBoot: .seconds(1000))))
    #expect(await daemon.parameters(of: "heading.get") == ["maxAge": 1, "timeout": 1.5])
  }

  @Test("No heading in time is absent, and an impossible one is an error")
  func none() async throws {
    let daemon = try FakeDaemon { method, _ in
      method == "heading.get" ? [.result(["status": "timedOut"])] : [.error(-32006, "Unavailable: nothing")]
    }
    let client = try await PositionClient(socket: daemon.path)
    #expect(try await client.heading() == nil)
    let error = await #expect(throws: PositionError.self) { for try await _ in client.headingUpdates() {} }
    #expect(error?.rpcError?.code == .unavailable)
  }

  @Test("Headings come in order, and the end of a subscription that cannot be served is thrown")
  func updates() async throws {
    let daemon = try FakeDaemon { _, _ in
      [
        .result(Samples.subscription), Self.update(Self.heading), Self.update(nil, state: "invalid"),
        Self.update(nil, state: "unavailable"),
        .notify("subscription.ended", ["subscription": 7, "reason": "unavailable"]),
      ]
    }
    let client = try await PositionClient(socket: daemon.path)
    var received: [HeadingUpdate] = []
    let error = await #expect(throws: PositionError.self) {
      for try await update in client.headingUpdates(minChange: 5, minInterval: .seconds(1), maxInterval: .seconds(60)) {
        received.append(update)
      }
    }
    #expect(error?.rpcError?.code == .unavailable)
    #expect(received.map(\.state) == [.valid, .invalid, .unavailable])
    #expect(received.map { $0.heading?.trueHeading } == [0, nil, nil])
    #expect(
      await daemon.parameters(of: "heading.subscribe") == ["minChange": 5, "minInterval": 1, "maxInterval": 60])
  }

  @Test("A lost connection is reported, and headings continue once there is another")
  func reconnection() async throws {
    let sequel = Sequel(
      [.result(Samples.subscription), Self.update(Self.heading), .close],
      [.result(Samples.subscription), Self.update(Self.heading)])
    let daemon = try FakeDaemon { method, _ in
      method == "heading.subscribe" ? sequel.next() : [.result(Samples.subscription)]
    }
    let client = try await PositionClient(socket: daemon.path)
    var updates = client.headingUpdates().makeAsyncIterator()
    var received: [HeadingUpdate] = []
    while received.count < 4, let update = try await updates.next() { received.append(update) }
    #expect(received.map(\.reason) == [nil, .disconnected, .reconnected, nil])
    #expect(received.map(\.state) == [.valid, nil, nil, .valid])
    #expect(received.map { $0.heading?.magneticHeading } == [355.6, nil, nil, 355.6])
  }

  @Test("Unknown enum values of a later daemon lose no update")
  func later() async throws {
    let heading: JSONValue = ["trueHeading": 12, "source": "stars", "arrival": 1000, "age": 0.4, "roll": 3]
    let daemon = try FakeDaemon { method, _ in
      method == "heading.get"
        ? [.result(["status": "guessed", "heading": heading])]
        : [.result(Samples.subscription), Self.update(heading, state: "dreamt")]
    }
    let client = try await PositionClient(socket: daemon.path)
    #expect(try await client.heading()?.source == .course)
    var updates = client.headingUpdates().makeAsyncIterator()
    let update = try #require(try await updates.next())
    #expect(update.state == .invalid)
    #expect(update.heading?.trueHeading == 12)
  }
}
