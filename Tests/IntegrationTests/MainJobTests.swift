import Geodesy
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The main job with real parts except the receiver: gpsd, libgps, the daemon, the socket.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct MainJobTests {
  @Test func `a fix over the socket, and the receiver released when idle`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let client = try fixture.client()
      #expect(try client.call("status.get")["gpsd"]?["state"] == "idle")
      #expect(try fixture.onLoop { $0.receiver?.isOpened } == false)

      let result = try client.call("position.get", ["accuracy": 50, "timeout": 30])
      #expect(result["status"] == "success" && result["satisfied"] == true)
      let fix = try #require(Position(result["fix"]))
      let truth = try fixture.onLoop { parts in
        parts.receiver?.groundTruth.map { $0.epoch.truth.coordinate } ?? []
      }
      let error = truth.map { Geodesy.distance(from: $0, to: fix.coordinate) }.min() ?? .infinity
      #expect(error < 0.5, "\(error) m from the nearest true position")

      let released = try fixture.waitForStatus("released") { $0["power"]?["state"] == "released" }
      #expect(released["gpsd"]?["state"] == "idle")
      #expect(released["receiver"]?["availability"] == "poweredDown")
    }
  }

  @Test func `a client that is killed while it alone keeps the receiver on is removed`() async throws {
    try await onOwnThread {
      let fixture = try IntegrationFixture()
      let watcher = try fixture.client()
      // A client in a process of its own, which is killed, so that it cannot close its connection.
      _ = try fixture.onLoop { parts in try parts.startClient() }
      _ = try fixture.waitForStatus("the receiver on") { $0["power"]?["state"] == "on" }
      #expect(try watcher.call("status.get")["demand"] != nil)
      try fixture.onLoop { parts in parts.killClients() }
      let released = try fixture.waitForStatus("released") { $0["power"]?["state"] == "released" }
      #expect(released["demand"] == nil)
    }
  }
}

/// The coordinates in a fix on the wire.
struct Position {
  let coordinate: Coordinate
  let arrival: Double

  init?(_ fix: JSONValue?) {
    guard let latitude = fix?["latitude"]?.double, let longitude = fix?["longitude"]?.double,
      let arrival = fix?["arrival"]?.double
    else { return nil }
    self.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    self.arrival = arrival
  }
}

extension JSONValue {
  /// The number, whether it has a fraction or not.
  var double: Double? {
    switch self {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    case .null, .boolean, .string, .array, .object: nil
    }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The elements of an array; none for any other value.
  var elements: [JSONValue] { if case .array(let array) = self { array } else { [] } }
}
